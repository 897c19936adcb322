// What of a record can be searched for. Pure.
import { separateWords } from './fold.ts';

export interface SearchText {
  /** Weighs more than the rest. */
  readonly title: string;
  readonly body: string;
}

type Members = Readonly<Record<string, unknown>>;

/** More of one record is not indexed: a search is for finding it, not for reading all of it. */
const CHARS_MAX = 500_000;
const DEPTH_MAX = 8;

/** The searchable text of a record: the title and content of a page, the values of a row. */
export function searchTextOf(record: Members): SearchText {
  const { title } = record;
  return {
    title: separateWords(typeof title === 'string' ? title.slice(0, CHARS_MAX) : ''),
    body: separateWords(bodyTextOf(record, CHARS_MAX)),
  };
}

/** The first `charsMax` characters of what a record says beside its title, one value a line, as people read it. */
export function bodyTextOf(record: Members, charsMax: number): string {
  const { title: _title, ...values } = record;
  const parts: string[] = [];
  let room = charsMax;
  const collect = (value: unknown, depth: number): void => {
    if (room <= 0) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const part = String(value).slice(0, room);
      room -= part.length + 1;
      parts.push(part);
    } else if (typeof value === 'object' && value !== null && depth < DEPTH_MAX)
      for (const member of Object.values(value)) collect(member, depth + 1);
  };
  collect(isPage(record) ? contentOf(record, charsMax) : values, 0);
  return parts.join('\n').normalize('NFC');
}

/** Every page has these, whatever was asked to be kept of it. */
function isPage(record: Members): boolean {
  return 'content_hash' in record && 'fetched_at' in record && typeof record['url'] === 'string';
}

/** What a page says, with its address; how it was fetched and what repeats it in another form stay out. An address alone is no text. */
function contentOf(page: Members, charsMax: number): readonly unknown[] {
  const { title, metadata, records, product, url } = page;
  const { description } = (metadata ?? {}) as Members;
  const content = [readableOf(page, charsMax), description, records, product];
  return [title, ...content].every((value) => value === undefined) ? [] : [...content, url];
}

function readableOf({ markdown, text, html }: Members, charsMax: number): unknown {
  if (typeof markdown === 'string') return withoutMarks(markdown.slice(0, charsMax));
  return text ?? (typeof html === 'string' ? html.slice(0, 4 * charsMax).replaceAll(/<[^<>]*>/g, ' ') : undefined);
}

/** Links and pictures with an address, as CommonMark 6.3 and 6.4 write them; the address may hold one pair of brackets in another. */
const LINK = /!?\[([^[\]\n]*)\]\((?:[a-z]+:|[/#.?])(?:[^()\s\\]|\\.|\([^()\s]*\))*(?:\s"[^"\n]*")?\)/g;
const MARKS = /^#{1,6} |^\|(?: :?-+:? \|)+$|\*\*|`+|\\(?=[\\`*_{}[\]()#+.!|<>~-])/gm;

/** Markdown as it reads: where a link leads says nothing of the page that holds it. */
function withoutMarks(markdown: string): string {
  return markdown.replaceAll(LINK, '$1').replaceAll(MARKS, '');
}
