// A site of any number of generated pages for crawls that are killed or measured: a tree with cross links, whose own log is the truth.
import { startSite } from './crawl-sites.ts';
import type { LocalSite } from './crawl-sites.ts';

export interface GeneratedSite extends LocalSite {
  /** Redirects to the first page, which lies in another folder. */
  readonly start: string;
  /** Paths of all pages. */
  readonly paths: readonly string[];
}

/** Starts a site of `count` pages below /site/; some of their links lead nowhere, and some where robots.txt forbids. */
export async function startGeneratedSite(count: number): Promise<GeneratedSite> {
  const paths = Array.from({ length: count }, (_, i) => pathOf(i));
  const numbers = new Map(paths.map((path, i) => [path, i]));
  const site = await startSite((path) => {
    if (path === '/robots.txt')
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /site/private/\n' };
    if (path === '/go/start') return { status: 302, headers: { location: '/site/' } };
    const number = numbers.get(path);
    return number === undefined ? undefined : pageText(number, count);
  });
  return { ...site, start: `${site.origin}/go/start`, paths };
}

function pathOf(number: number): string {
  return number === 0 ? '/site/' : `/site/page-${number}.html`;
}

function pageText(number: number, count: number): string {
  const near = [2 * number + 1, 2 * number + 2, number - 1, number + 1, Math.floor(number / 2), 0];
  const links = near.filter((other) => other >= 0 && other < count).map((other) => `<a href="${pathOf(other)}">Page ${other}</a>`);
  if (number % 50 === 7) links.push(`<a href="/site/gone-${number}">gone</a>`, `<a href="/site/private/${number}">private</a>`);
  const text = `This is page number ${number} of ${count}, and nothing that it says is said on another page: ${number * 7919}.`;
  return `<!doctype html><title>Page ${number}</title><main><h1>Page ${number}</h1><p>${text}</p>${links.join(' ')}</main>`;
}
