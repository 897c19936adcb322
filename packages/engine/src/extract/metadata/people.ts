// Who wrote a page, and who publishes it: from JSON-LD, `<meta>`, or the byline.
import { findShownAuthor, personName } from './byline.ts';
import { listOf } from '../structured/json-ld.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { isJsonObject } from '../../html/loose-json.ts';
import { stringOf } from './sources.ts';
import type { Sources } from './sources.ts';

const AUTHOR_METAS = ['author', 'article:author', 'dc.creator', 'citation_author', 'parsely-author', 'sailthru.author'];
const PEOPLE_MAX = 20;

/** The authors' names joined by commas; undefined where the page names nobody. */
export function readAuthor(sources: Sources): string | undefined {
  const stated = namesOf(sources.page?.['author'] ?? sources.page?.['creator'], sources);
  if (stated.length > 0) return stated.join(', ');
  const meta = AUTHOR_METAS.map((name) => metaNames(sources, name)).find((names) => names.length > 0);
  return meta?.join(', ') ?? findShownAuthor(sources.tree);
}

/** Profile addresses, handles and numbers stand where names should. */
function metaNames({ metas }: Sources, name: string): readonly string[] {
  const names = (metas.get(name) ?? []).map(personName);
  return [...new Set(names.filter((value) => value !== '' && !/^https?:|^www\.|^@|^\d+$/.test(value)))].slice(0, PEOPLE_MAX);
}

/** Names of people or organizations; `{"@id": …}` stands for the object that has this id. */
export function namesOf(value: JsonValue | undefined, { objects }: Sources): readonly string[] {
  const names = listOf(value)
    .slice(0, PEOPLE_MAX)
    .flatMap((item) => {
      const known = isJsonObject(item) && item['name'] === undefined ? objects.find((object) => object['@id'] === item['@id']) : undefined;
      const named = known ?? item;
      return stringOf(isJsonObject(named) ? named['name'] : named) ?? [];
    });
  return [...new Set(names.map(personName).filter((name) => name !== '' && !/^https?:/.test(name)))];
}
