// Changes as an Atom feed (RFC 4287). Pure.
import { toInstant } from './time.ts';

/** What a feed is of. */
export interface FeedOf {
  /** By which its readers know it again, wherever it is served: nothing else has it. */
  readonly name: string;
  readonly title: string;
  /** Where it is read. */
  readonly self: string;
  /** The page that is watched, where it is one. */
  readonly page: string | undefined;
  /** Epoch milliseconds; that of the newest change where there is one. */
  readonly updatedMs: number;
}

/** A change. */
export interface FeedEntry {
  /** By which readers know it again. */
  readonly name: string;
  /** What is watched. */
  readonly of: string;
  readonly kind: string;
  readonly summary: string;
  readonly atMs: number;
  /** The page, where it has an address. */
  readonly page: string | undefined;
  /** Where its difference is read as JSON. */
  readonly difference?: string | undefined;
  /** Its difference; undefined where the summary says all. */
  readonly html: string | undefined;
}

/** The year in which an agent was on its own host alone, as a tag URI has to name one (RFC 4151). */
const TAG = 'tag:127.0.0.1,2026';

/** The whole document. */
export function atomFeed({ name, title, self, page, updatedMs }: FeedOf, entries: readonly FeedEntry[]): string {
  const newest = Math.max(updatedMs, ...entries.map(({ atMs }) => atMs));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', `${TAG}:${name}`),
    element('title', title),
    element('updated', toInstant(newest)),
    '<author><name>Weft</name></author>',
    '<generator>Weft</generator>',
    link('self', self, 'application/atom+xml'),
    ...(page === undefined ? [] : [link('alternate', page, 'text/html')]),
    ...entries.map(entryOf),
    '</feed>',
    '',
  ].join('\n');
}

function entryOf({ name, of, kind, summary, atMs, page, difference, html }: FeedEntry): string {
  const at = toInstant(atMs);
  const isWeb = page !== undefined && /^https?:/i.test(page);
  return [
    '<entry>',
    element('id', `${TAG}:${name}`),
    element('title', `${of}: ${summary}`),
    element('updated', at),
    element('published', at),
    `<category term="${escapeXml(kind)}"/>`,
    ...(isWeb ? [link('alternate', page, 'text/html')] : []),
    ...(difference === undefined ? [] : [link('related', difference, 'application/json')]),
    element('summary', summary),
    `<content type="html">${escapeXml(`<p>${escapeXml(summary)}</p>${html ?? ''}`)}</content>`,
    '</entry>',
  ].join('\n');
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

function link(rel: string, href: string, type: string): string {
  return `<link rel="${rel}" type="${type}" href="${escapeXml(href)}"/>`;
}

/** What XML 1.0 has no character for is left out (section 2.2). */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
