// Changes as an Atom feed (RFC 4287). Pure.
import { toInstant } from '@weft/serve';
import type { ChangeRow } from '../store.ts';

/** What the feed is of. */
export interface FeedOf {
  readonly title: string;
  /** Where it is, from the root of the agent. */
  readonly path: string;
  /** The page that is watched, where it is one. */
  readonly page: string | undefined;
  /** Epoch milliseconds; that of the newest change where there is one. */
  readonly updatedMs: number;
}

/** A change with its difference as HTML; undefined where it has none. */
export interface FeedEntry {
  readonly change: ChangeRow;
  readonly html: string | undefined;
}

/** Where the feed comes from: the address of the agent, and the name of its home, which no other has. */
export interface FeedHome {
  readonly origin: string;
  readonly name: string;
}

/** The year in which the agent was on its own host alone, as a tag URI has to name one (RFC 4151). */
const TAG = 'tag:127.0.0.1,2026';

/** The whole document. Names that entries have stay the same wherever the agent listens. */
export function atomFeed(feed: FeedOf, entries: readonly FeedEntry[], home: FeedHome): string {
  const { title, path, page, updatedMs } = feed;
  const newest = Math.max(updatedMs, ...entries.map(({ change }) => change.created_at));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', `${TAG}:${home.name}${path.replace(/\?.*$/s, tagged)}`),
    element('title', title),
    element('updated', toInstant(newest)),
    '<author><name>Weft</name></author>',
    '<generator>Weft</generator>',
    link('self', `${home.origin}${path}`, 'application/atom+xml'),
    ...(page === undefined ? [] : [link('alternate', page, 'text/html')]),
    ...entries.map((entry) => entryOf(entry, home)),
    '</feed>',
    '',
  ].join('\n');
}

function entryOf({ change, html }: FeedEntry, { origin, name }: FeedHome): string {
  const { id, monitor_name: monitor, kind, summary, url, created_at: atMs } = change;
  const at = toInstant(atMs);
  const isWeb = url !== null && /^https?:/i.test(url);
  return [
    '<entry>',
    element('id', `${TAG}:${name}/x/monitors/changes/${id}`),
    element('title', `${monitor}: ${summary}`),
    element('updated', at),
    element('published', at),
    `<category term="${escapeXml(kind)}"/>`,
    ...(isWeb ? [link('alternate', url, 'text/html')] : []),
    ...(change.old === null && change.new === null ? [] : [link('related', `${origin}/x/monitors/changes/${id}/diff`, 'application/json')]),
    element('summary', summary),
    `<content type="html">${escapeXml(`<p>${escapeXml(summary)}</p>${html ?? ''}`)}</content>`,
    '</entry>',
  ].join('\n');
}

/** A tag URI has no part for a query (RFC 4151, section 2.1): what narrows the feed is part of its path. */
function tagged(query: string): string {
  return [...new URLSearchParams(query)].flatMap(([name, value]) => (name === 'tag' ? [`/tag/${encodeURIComponent(value)}`] : [])).join('');
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
