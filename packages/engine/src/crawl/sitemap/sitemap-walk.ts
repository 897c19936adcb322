// Follows sitemap indexes from their roots, each file once.
import { readSitemap } from './sitemap.ts';
import type { SitemapEnd, SitemapEntry } from './sitemap.ts';

/** One sitemap file that was asked for. */
export interface SitemapFile {
  readonly url: string;
  /** The index that named it; undefined for a root. */
  readonly parent: string | undefined;
  readonly end: SitemapEnd | 'unavailable' | 'cycle' | 'too_deep' | 'too_many_files';
  readonly entries: number;
}

/** Bounds of a walk; defaults: 1,000 files, five indexes deep, 50 MB and 250,000 entries a file. */
export interface SitemapWalkLimits {
  readonly filesMax?: number;
  readonly depthMax?: number;
  readonly bytesMax?: number;
  readonly entriesMax?: number;
}

/** Either some pages of a file, or the news that a file is done. */
export type SitemapStep =
  | { readonly kind: 'pages'; readonly sitemap: string; readonly pages: readonly SitemapEntry[] }
  | { readonly kind: 'file'; readonly file: SitemapFile };

/** Opens a sitemap; undefined when it can't be had. */
export type OpenSitemap = (url: string) => Promise<AsyncIterable<Uint8Array<ArrayBuffer>> | undefined>;

const FILES_MAX = 1_000;
const DEPTH_MAX = 5;

/** Walks from `roots` through all indexes below them, breadth first; a file that names itself or one above it is noticed and left. */
export async function* walkSitemaps(
  roots: readonly string[],
  open: OpenSitemap,
  limits: SitemapWalkLimits = {},
): AsyncGenerator<SitemapStep> {
  const queue = [...new Set(roots)].map((url) => ({ url, parent: undefined as string | undefined, depth: 0 }));
  const seen = new Set(queue.map((item) => item.url));
  let files = 0;
  for (const item of queue) {
    const bytes = ++files > (limits.filesMax ?? FILES_MAX) ? undefined : await open(item.url);
    if (!bytes) {
      yield fileStep(item, files > (limits.filesMax ?? FILES_MAX) ? 'too_many_files' : 'unavailable', 0);
      continue;
    }
    let entries = 0;
    const reader = readSitemap(bytes, item.url, limits);
    let step = await reader.next();
    for (; !step.done; step = await reader.next()) {
      entries += step.value.length;
      const pages = step.value.filter((entry) => entry.kind === 'page');
      if (pages.length > 0) yield { kind: 'pages', sitemap: item.url, pages };
      for (const entry of step.value) {
        if (entry.kind !== 'sitemap') continue;
        const child = { url: entry.url, parent: item.url, depth: item.depth + 1 };
        const refusal = seen.has(entry.url) ? 'cycle' : child.depth > (limits.depthMax ?? DEPTH_MAX) ? 'too_deep' : undefined;
        if (refusal) yield fileStep(child, refusal, 0);
        else queue.push(child);
        seen.add(entry.url);
      }
    }
    yield fileStep(item, step.value, entries);
  }
}

function fileStep(
  item: { readonly url: string; readonly parent: string | undefined },
  end: SitemapFile['end'],
  entries: number,
): SitemapStep {
  return { kind: 'file', file: { url: item.url, parent: item.parent, end, entries } };
}

/**
 * Where to look for the sitemaps of a seed: what robots.txt names, else the usual places of the seed's folder and of its host.
 * `named` are the values of the robots file's Sitemap lines.
 */
export function sitemapCandidates(seed: string, named: readonly string[]): readonly string[] {
  const resolved = named.flatMap((value) => URL.parse(value, seed)?.href ?? []);
  if (resolved.length > 0) return [...new Set(resolved)];
  const places = ['sitemap.xml', '/sitemap.xml', '/sitemap_index.xml'];
  return [...new Set(places.map((place) => new URL(place, seed).href))];
}
