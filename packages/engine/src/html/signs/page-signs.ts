// Reads off a page, in one pass and without a tree, what shows whether it is a page at all: its words, links and fields.

/** What a page shows without being parsed. */
export interface PageSigns {
  /** What a reader sees, white space collapsed, at most 20,000 characters. */
  readonly text: string;
  /** Title and main headings, lower-case. */
  readonly heading: string;
  /** What `<noscript>` holds, lower-case; it is part of `text` too, because some sites put their whole content there. */
  readonly noscript: string;
  readonly links: number;
  readonly scripts: number;
  /** Pictures, players, frames and drawings. */
  readonly media: number;
  readonly passwords: number;
  /** Fields that a person fills in, passwords not counted. */
  readonly fields: number;
  /** The first 400,000 characters of markup. */
  readonly markup: string;
}

/** Marks of bot checks stand early; text may come late, behind megabytes of styles. */
const MARKUP_MAX = 400_000;
const TEXT_MAX = 20_000;

const MEDIA: ReadonlySet<string> = new Set(['img', 'picture', 'video', 'audio', 'iframe', 'frame', 'object', 'embed', 'canvas', 'svg']);
const FIELDS: ReadonlySet<string> = new Set(['input', 'textarea', 'select']);
/** What stands between the tags of these is not for readers. */
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style', 'template', 'textarea', 'select', 'svg', 'title', 'iframe']);

/** The signs of `html`; linear in its length, whatever it holds. */
export function readPageSigns(html: string): PageSigns {
  const lower = html.toLowerCase();
  const text: string[] = [];
  const titles: string[] = [];
  const counts = { links: 0, scripts: 0, media: 0, passwords: 0, fields: 0 };
  let textLength = 0;
  for (let at = 0; at < lower.length && textLength < TEXT_MAX;) {
    const open = lower.indexOf('<', at);
    const words = html.slice(at, open < 0 ? undefined : open).trim();
    if (words !== '') text.push(words);
    textLength += words.length;
    if (open < 0) break;
    const name = /^[a-z][a-z0-9-]*/.exec(lower.slice(open + 1, open + 30))?.[0] ?? '';
    const end = lower.startsWith('<!--', open) ? after(lower, '-->', open + 4) : after(lower, '>', open);
    countTag(name, lower.slice(open, Math.min(end, open + 500)), counts);
    at = end;
    if (!HIDDEN.has(name)) continue;
    const close = lower.indexOf(`</${name}`, end);
    at = close < 0 ? lower.length : close;
    if (name === 'title') titles.push(lower.slice(end, at));
  }
  const markup = html.slice(0, MARKUP_MAX);
  const lowerMarkup = lower.slice(0, MARKUP_MAX);
  const headings = [...lowerMarkup.matchAll(/<h[12]\b[^<>]{0,300}>([^<]{1,300})/g)].map((match) => match[1] ?? '');
  return {
    text: plain(text).slice(0, TEXT_MAX),
    heading: plain([...titles, ...headings]),
    noscript: noscriptText(lowerMarkup),
    markup,
    ...counts,
  };
}

function noscriptText(lower: string): string {
  const parts: string[] = [];
  for (let open = lower.indexOf('<noscript'); open >= 0;) {
    const found = lower.indexOf('</noscript', open);
    const close = found < 0 ? lower.length : found;
    parts.push(lower.slice(after(lower, '>', open), close).replace(/<[^<>]{0,2000}>/g, ' '));
    open = lower.indexOf('<noscript', close);
  }
  return plain(parts);
}

function countTag(
  name: string,
  tag: string,
  counts: { links: number; scripts: number; media: number; passwords: number; fields: number },
): void {
  if (name === 'a' && tag.includes('href')) counts.links += 1;
  else if (name === 'script') counts.scripts += 1;
  else if (MEDIA.has(name)) counts.media += 1;
  else if (FIELDS.has(name) && /type\s*=\s*["']?password/.test(tag)) counts.passwords += 1;
  else if (FIELDS.has(name) && !/type\s*=\s*["']?(?:hidden|submit|button|image)/.test(tag)) counts.fields += 1;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

function plain(parts: readonly string[]): string {
  return parts
    .join(' ')
    .replace(/&nbsp;|&#160;|&#xa0;/gi, ' ')
    .replace(/&(?:#39|apos|rsquo);|’/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}
