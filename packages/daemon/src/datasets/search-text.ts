// What of a record can be searched for. Pure.

export interface SearchText {
  /** Weighs more than the rest. */
  readonly title: string;
  readonly body: string;
}

type Members = Readonly<Record<string, unknown>>;

/** More of one record is not indexed: a search is for finding it, not for reading all of it. */
const CHARS_MAX = 500_000;
const DEPTH_MAX = 8;
/** Between two characters of scripts that write words without spaces. */
const UNSPACED = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]';
const BETWEEN_UNSPACED = new RegExp(`(?<=${UNSPACED})(?=${UNSPACED})`, 'gu');
/** The blocks of those scripts: most texts have none of them, and this is the cheap way to know. */
const MAY_BE_UNSPACED = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\ud840-\ud888]/;

/** The searchable text of a record: the title and content of a page, the values of a row. */
export function searchTextOf(record: Members): SearchText {
  const { title, ...rest } = record;
  const parts: string[] = [];
  let room = CHARS_MAX;
  const collect = (value: unknown, depth: number): void => {
    if (room <= 0) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const part = String(value).slice(0, room);
      room -= part.length + 1;
      parts.push(part);
    } else if (typeof value === 'object' && value !== null && depth < DEPTH_MAX)
      for (const member of Object.values(value)) collect(member, depth + 1);
  };
  collect(isPage(record) ? contentOf(record) : rest, 0);
  return { title: separateWords(typeof title === 'string' ? title.slice(0, CHARS_MAX) : ''), body: separateWords(parts.join('\n')) };
}

/** Each character of a script without spaces as a word of its own, so that a part of a sentence is found. Other text stays as it is. */
export function separateWords(text: string): string {
  return MAY_BE_UNSPACED.test(text) ? text.replaceAll(BETWEEN_UNSPACED, ' ') : text;
}

/** Every page has these, whatever was asked to be kept of it. */
function isPage(record: Members): boolean {
  return 'content_hash' in record && 'fetched_at' in record && typeof record['url'] === 'string';
}

/** What a page says; how it was fetched and what repeats it in another form stay out. */
function contentOf({ markdown, text, html, metadata, records, product, url }: Members): readonly unknown[] {
  const readable = markdown ?? text ?? (typeof html === 'string' ? html.slice(0, 4 * CHARS_MAX).replaceAll(/<[^<>]*>/g, ' ') : undefined);
  const { description } = (metadata ?? {}) as Members;
  return [readable, description, records, product, url];
}
