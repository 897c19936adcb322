// gitweb on a real repository: the history of one folder of this project, as far as the checkout has it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startApache } from '../apache.ts';
import type { App, Place } from '../app.ts';
import { run } from '../packages.ts';
import { addressOf, digestOf, walkSite } from '../walk.ts';

const SOURCE = resolve(import.meta.dirname, '../../..');
/** Few: gitweb links every file of every commit in a dozen ways, and each page is a process. */
const FOLDER = 'docs';
const COMMITS = 4;

/** What is no page: files as they are, archives, patches and feeds. */
const NO_PAGE = new Set([
  'blob_plain',
  'snapshot',
  'patch',
  'patches',
  'commitdiff_plain',
  'blobdiff_plain',
  'atom',
  'rss',
  'opml',
  'project_index',
]);

/** A file is one page however it was reached: with the commit that named it, or by a shorter path. How long ago a commit was changes by itself. */
const FRAME = 'title, .page_header, .page_nav, .page_path, .page_footer, div.header, .age0, .age1, .age2';

const repositoryOf = (place: Place) => join(place.folder, 'projects', 'docs.git');

export const GITWEB: App = {
  name: 'gitweb',
  software: 'gitweb',
  port: 8413,
  needs: { apt: ['gitweb', 'git', 'apache2-bin'] },
  package: 'gitweb',
  source: import.meta.filename,
  inner: '/?p=docs.git;a=tree',
  content: 'body > div:not(.page_header):not(.page_footer), body > table, body > pre',
  async install(place) {
    const repository = repositoryOf(place);
    rmSync(join(place.folder, 'projects'), { recursive: true, force: true });
    const commits = (await run('git', ['rev-list', '--reverse', 'HEAD', '--', FOLDER], { cwd: SOURCE })).trim().split('\n');
    const last = commits[COMMITS - 1] ?? commits.at(-1) ?? 'HEAD';
    const whole = join(place.folder, 'whole.git');
    rmSync(whole, { recursive: true, force: true });
    await run('git', ['clone', '--quiet', '--bare', SOURCE, whole]);
    await run('git', ['update-ref', 'refs/heads/only', last], { cwd: whole });
    await run('git', ['init', '--quiet', '--bare', '--initial-branch=only', repository]);
    const copy = 'git --git-dir="$1" --work-tree=. fast-export only -- "$2" | git -C "$3" fast-import --quiet';
    await run('sh', ['-c', copy, 'sh', whole, FOLDER, repository], { cwd: SOURCE });
    await run('git', ['rev-parse', '--verify', 'only'], { cwd: repository });
    rmSync(whole, { recursive: true, force: true });
    writeFileSync(join(repository, 'description'), 'Documents of the project\n');
    writeFileSync(
      join(place.folder, 'gitweb.conf'),
      `$projectroot = "${join(place.folder, 'projects')}";\n$feature{'search'}{'default'} = [0];\n1;\n`,
    );
  },
  start: (place, listen, programs) =>
    startApache(place, listen, programs, {
      modules: ['cgi', 'alias'],
      server: `
DocumentRoot /usr/share/gitweb
Alias /static /usr/share/gitweb/static
ScriptAliasMatch ^/$ /usr/share/gitweb/gitweb.cgi
SetEnv GIT_CONFIG_COUNT 1
SetEnv GIT_CONFIG_KEY_0 safe.directory
SetEnv GIT_CONFIG_VALUE_0 *
SetEnv GITWEB_CONFIG "${join(place.folder, 'gitweb.conf')}"
<Directory /usr/share/gitweb>
  Options +ExecCGI
  Require all granted
</Directory>`,
    }),
  truth: (_place, origin) => walkSite(origin, { entry: '/', follows: isPage, pageOf, isOneByText: true, frame: FRAME }),
  pageOf: (url) => (isPage(url) ? pageOf(url) : undefined),
  state: async (place) =>
    digestOf([await run('git', ['show-ref', '--head'], { cwd: repositoryOf(place) }), readFileSync(join(place.folder, 'gitweb.conf'))]),
};

function isPage(url: URL): boolean {
  return !NO_PAGE.has(/[?;&]a=([^;&]*)/.exec(url.search)?.[1] ?? '') && !url.pathname.startsWith('/static');
}

/** `;` and `&` separate alike, and the order of parameters says nothing. */
function pageOf(url: URL): string {
  const parts = url.search
    .slice(1)
    .split(/[;&]/)
    .filter((part) => part !== '');
  return parts.length === 0 ? addressOf(url) : `${url.pathname}?${parts.toSorted().join(';')}`;
}
