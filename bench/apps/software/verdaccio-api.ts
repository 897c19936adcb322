// What an API of Verdaccio should answer, by its own searches and by the documents of its packages.
import type { ApiApp, Facts } from '../api-app.ts';
import { askJson, factsOf, memberOf } from '../api-app.ts';
import { VERDACCIO_OPEN } from './verdaccio.ts';

const ALL = 250;

export const VERDACCIO_API: ApiApp = {
  software: VERDACCIO_OPEN,
  goals: ({ origin }) => {
    const url = `${origin}/`;
    const keys = ['name', 'link'];
    const packages = async (names: readonly unknown[]) => (await Promise.all(names.map((name) => packageOf(origin, String(name))))).flat();
    const all = async () => {
      const answer = await askJson(`${origin}/-/v1/search?text=&size=${ALL}`);
      return await packages((memberOf(answer, 'objects') as readonly unknown[]).map((each) => memberOf(each, 'package.name')));
    };
    // npm's clients are answered with names that hold the word, and people with what is spelled alike as well.
    const found = async (word: string) => {
      const answer = (await askJson(`${origin}/-/verdaccio/data/search/${encodeURIComponent(word)}`)) as readonly unknown[];
      return await packages(answer.map((each) => memberOf(each, 'name')));
    };
    return [
      {
        kind: 'list',
        url,
        objective: 'list all packages with name, version, description and license',
        wanted: ['name', 'version', 'description', 'license'],
        keys,
        truth: all,
      },
      { kind: 'search', url, objective: 'search packages by name', wanted: ['name', 'version'], keys, truth: found },
      {
        kind: 'detail',
        url,
        objective: 'get one package by its name with latest version, description and license',
        wanted: ['name', 'version', 'description', 'license'],
        keys,
        truth: (name) => packageOf(origin, name),
      },
    ];
  },
};

/** The document of a package, as npm reads it. */
async function packageOf(origin: string, name: string): Promise<readonly Facts[]> {
  const document = await askJson(`${origin}/${encodeURIComponent(name)}`).catch(() => undefined);
  if (document === undefined) return [];
  const version = String(memberOf(document, 'dist-tags.latest'));
  const latest = (memberOf(document, 'versions') as Readonly<Record<string, unknown>>)[version];
  const times = memberOf(document, 'time') as Readonly<Record<string, string>>;
  const facts = factsOf(latest, {
    id: '_id',
    name: 'name',
    version: 'version',
    description: 'description',
    license: 'license',
    node: '_nodeVersion',
    npm: '_npmVersion',
    tarball: 'dist.tarball',
    sum: 'dist.shasum',
    integrity: 'dist.integrity',
    size: 'dist.unpackedSize',
    files: 'dist.fileCount',
    readme: 'readmeFilename',
  });
  const written = factsOf(document, { readme_text: 'readme', revision: '_rev' });
  return [{ ...facts, ...written, published: times[version] ?? null, modified: times['modified'] ?? null, link: `/-/web/detail/${name}` }];
}
