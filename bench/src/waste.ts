// What the wasted requests of a crawl were, and how few anybody could have wasted who learns from what was asked.
import { queryPairs } from '../../packages/engine/src/url/query-pairs.ts';
import { couldBeAction } from '../../packages/engine/src/url/trap-class.ts';
import type { SeenRequest } from './counting-proxy.ts';

/** What a request brought: a page of the truth for the first time, something readable that is none, or nothing. */
export type RequestEnd = 'page' | 'aside' | 'waste';

/** A request with what it brought. */
export interface EndedRequest extends Pick<SeenRequest, 'target' | 'status' | 'contentType'> {
  readonly end: RequestEnd;
}

/**
 * `again`: another address of a page that was brought; `raw`: text without markup, as the source of a page or a diff; `other`: anything else
 * that was answered, as forms and missing pages that say so in words alone.
 */
export type WasteKind = 'redirect' | 'error' | 'file' | 'raw' | 'again' | 'other';

/** How many of the wasted requests were of each kind. `isPage` says whether an address shows a page of the truth. */
export function wasteKinds(asked: readonly EndedRequest[], isPage: (target: string) => boolean): Readonly<Record<WasteKind, number>> {
  const counts = { redirect: 0, error: 0, file: 0, raw: 0, again: 0, other: 0 };
  for (const request of asked) if (request.end === 'waste') counts[kindOf(request, isPage)]++;
  return counts;
}

/** The kind of one wasted request. */
export function kindOf({ target, status, contentType }: EndedRequest, isPage: (target: string) => boolean): WasteKind {
  if (status >= 300 && status < 400 && status !== 304) return 'redirect';
  if (status >= 400) return 'error';
  if (/^text\/(?!html|xml)/i.test(contentType)) return 'raw';
  if (!/^(?:$|text\/|application\/(?:xhtml\+xml|xml))/i.test(contentType)) return 'file';
  return isPage(target) ? 'again' : 'other';
}

/**
 * How many requests would still have been wasted had each class of addresses been ended after `probes` requests in vain, by an oracle that
 * knows which classes hold no page at all and begins with the largest. A class is what addresses can share: a parameter, its value, both
 * beside an action, the set of all names, an ending in a folder, the last part or a tool of a path. No crawler that learns from its own
 * requests alone wastes less with as many probes.
 */
export function wasteFloor(asked: readonly EndedRequest[], probes: number): number {
  const classes = new Map<string, Set<number>>();
  const hasPages = new Set<string>();
  for (const [i, { target, end }] of asked.entries())
    for (const key of classesOf(target)) {
      if (end !== 'waste') hasPages.add(key);
      else classes.set(key, (classes.get(key) ?? new Set()).add(i));
    }
  for (const key of hasPages) classes.delete(key);
  let wasted = asked.filter(({ end }) => end === 'waste').length;
  for (;;) {
    const largest = [...classes.values()].reduce<ReadonlySet<number>>((most, each) => (each.size > most.size ? each : most), new Set());
    if (largest.size <= probes) return wasted;
    wasted -= largest.size - probes;
    const spared = [...largest];
    for (const each of classes.values()) for (const i of spared) each.delete(i);
  }
}

function classesOf(target: string): readonly string[] {
  const url = new URL(target, 'http://site.test');
  return [...queryClasses(url), ...pathClasses(url)];
}

function queryClasses(url: URL): readonly string[] {
  const pairs = queryPairs(url);
  const names = [...new Set(pairs.map(({ name }) => name))].toSorted().join('&');
  const shape = [...new Set(pairs.map((pair) => (couldBeAction(pair) ? pair.text : pair.name)))].toSorted().join('&');
  if (pairs.length < 2) return pairs.length === 0 ? [] : [names, shape];
  const own = pairs.flatMap((pair) => [
    `*${pair.name}`,
    `*${pair.text}`,
    ...pairs
      .filter((other) => other.name !== pair.name && couldBeAction(other))
      .flatMap((other) => [`${other.text} *${pair.name}`, `${other.text} *${pair.text}`]),
  ]);
  return [names, shape, ...new Set(own)].map((key) => `${url.pathname}?${key}`);
}

function pathClasses({ pathname }: URL): readonly string[] {
  const parts = pathname.split('/').filter((part) => part !== '');
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  const ending = /\.[a-z0-9]{1,5}$/i.exec(last)?.[0];
  const tool = parts.findIndex((part) => part.includes(':'));
  return [
    ...(parts.length > 1 && ending !== undefined ? [`/${first}/**${ending}`] : []),
    ...(parts.length > 2 ? [`/${first}/**/${last}`] : []),
    ...(tool >= 0 && tool < parts.length - 1 ? [`/${parts.slice(0, tool + 1).join('/')}/*`] : []),
  ];
}
