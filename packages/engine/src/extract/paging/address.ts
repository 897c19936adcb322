// Compares the address of a link with the page's own: does it name another page of the same list, and which one.
import { siteOf } from '../../url/scope.ts';

/** Where a link's address stands relative to the page's own. */
export type AddressStep = 'following' | 'later' | 'earlier' | 'same' | 'elsewhere' | 'foreign';

/** Query parameters that number pages or count items. */
const PAGE_PARAMETER =
  /^(?:.*page(?:n|no|num|number|index|id)?(?:_?\d+)?|p|pg|pn|pp|pageno|paged|paging|pgno|seite|pagina|pag|sida|side|sivu|strona|str|strana|stranica|oldal|sayfa|(?:.*[_-])?(?:start|offset|skip|begin|first)(?:[_-]?(?:index|row|item|record|at|rank))?|from|startindex|ofs|pnum|pgnum|b_start(?::int)?|o|idx|index|limitstart|st|cp|currentpage|cpage|page_id|s_page)$/i;
/** Path parts that number pages: `page/3`, `seite-3`, `p3`. */
const PAGE_PATH =
  /(?:^|[/_.,;-])(?:page|pages|pg|p|pag|pagina|seite|sida|side|sivu|strona|str|strana|stranica|stranka|oldal|sayfa|trang|offset|start)[-_/=,:]?(\d{1,6})(?=$|[/_.,;?-])/i;

/** Compares `candidate` to `own`, both absolute. `later` where the numbers don't tell by how much. */
export function compareAddress(candidate: URL, own: URL): AddressStep {
  if (!isSameSite(candidate, own)) return 'foreign';
  if (sameResource(candidate, own)) return 'same';
  const theirs = pageNumber(candidate);
  const ours = pageNumber(own);
  if (theirs && ours) return stepBetween(theirs, ours, candidate, own);
  if (theirs)
    return stemOf(candidate, theirs) === stemOf(own, undefined) ? stepFromFirst(theirs.number) : looseStep(candidate, own, theirs);
  if (ours) return stemOf(own, ours) === stemOf(candidate, undefined) ? 'earlier' : 'elsewhere';
  return countedStep(candidate, own) ?? trailingStep(candidate, own);
}

/** Hosts of one site serve one list often enough: `search.` beside `www.`. */
function isSameSite(a: URL, b: URL): boolean {
  return a.port === b.port && siteOf(a.hostname) === siteOf(b.hostname);
}

function sameResource(a: URL, b: URL): boolean {
  return withoutSlashes(a.pathname) === withoutSlashes(b.pathname) && a.search === b.search;
}

/** Query parameters by name; `;` separates as `&` does (HTML 4.01, appendix B.2.2). */
function parametersOf(url: URL): URLSearchParams {
  return url.search.includes(';') ? new URLSearchParams(url.search.replaceAll(';', '&')) : url.searchParams;
}

interface PageNumber {
  readonly number: number;
  /** The query parameter that holds it; undefined when it is in the path. */
  readonly parameter?: string;
}

function pageNumber(url: URL): PageNumber | undefined {
  for (const [name, value] of parametersOf(url)) {
    if (PAGE_PARAMETER.test(name) && /^\d{1,7}$/.test(value)) return { number: Number(value), parameter: name };
  }
  const inPath = PAGE_PATH.exec(url.pathname);
  return inPath?.[1] === undefined ? undefined : { number: Number(inPath[1]) };
}

function stepBetween(theirs: PageNumber, ours: PageNumber, candidate: URL, own: URL): AddressStep {
  if (theirs.parameter !== ours.parameter || stemOf(candidate, theirs) !== stemOf(own, ours))
    return looseStep(candidate, own, theirs, ours);
  if (theirs.number === ours.number) return 'same';
  if (theirs.number < ours.number) return 'earlier';
  return theirs.number === ours.number + 1 ? 'following' : 'later';
}

function stepFromFirst(number: number): AddressStep {
  return number === 2 ? 'following' : number === 0 ? 'same' : 'later';
}

/** For lists whose other parameters change from page to page: their path must go on from ours, or end as ours does. */
function looseStep(candidate: URL, own: URL, theirs: PageNumber, ours?: PageNumber): AddressStep {
  const theirPath = withoutPage(candidate.pathname);
  const ourPath = withoutPage(own.pathname);
  if (theirPath !== ourPath && !theirPath.startsWith(`${ourPath}/`) && !endsAlike(theirPath, ourPath)) return 'elsewhere';
  if (ours && theirs.number < ours.number) return 'earlier';
  return theirs.number === (ours?.number ?? 1) + 1 ? 'following' : 'later';
}

/** One thing in two categories: `/news/a-long-story-p2` and `/local/a-long-story`. */
function endsAlike(theirPath: string, ourPath: string): boolean {
  const last = lastPart(theirPath);
  return last !== '' && last === lastPart(ourPath);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function withoutPage(path: string): string {
  return withoutIndex(path.replace(PAGE_PATH, ''));
}

/** Without a file name that a server adds, and without slashes at the end. */
function withoutIndex(path: string): string {
  return withoutSlashes(path.replace(/\/(?:index|default)\.\w{1,5}$/i, ''));
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** The address without its page number: what pages of one list share. */
function stemOf(url: URL, page: PageNumber | undefined): string {
  const query = [...parametersOf(url)].filter(([name]) => name !== page?.parameter).map(([name, value]) => `${name}=${value}`);
  const path = page && page.parameter === undefined ? withoutPage(url.pathname) : withoutIndex(url.pathname);
  return `${path.toLowerCase()}?${query.sort().join('&')}`;
}

/** Parameters that name a thing rather than count pages. */
const NAMING_PARAMETER =
  /(?:^|[_-])(?:id|no|nr|num|number|year|month|day|date|week|y|m|d|t|ts|time|v|ver|version|size|limit|rows|count|per_?page)$|[a-z]id$|Id$/i;

/** One path whose query differs in one number alone: it counts something, whatever it is called. */
function countedStep(candidate: URL, own: URL): AddressStep | undefined {
  if (candidate.host !== own.host || candidate.pathname !== own.pathname) return undefined;
  const [theirQuery, ourQuery] = [parametersOf(candidate), parametersOf(own)];
  const names = new Set([...theirQuery.keys(), ...ourQuery.keys()]);
  const changed = [...names].filter((name) => theirQuery.get(name) !== ourQuery.get(name));
  if (goesOn(changed, theirQuery)) return 'following';
  const [name] = changed;
  const theirs = name === undefined ? null : theirQuery.get(name);
  if (changed.length !== 1 || name === undefined || theirs === null || !/^\d{1,7}$/.test(theirs) || NAMING_PARAMETER.test(name))
    return undefined;
  const ours = ourQuery.get(name) ?? '0';
  if (!/^\d{1,7}$/.test(ours)) return undefined;
  return Number(theirs) > Number(ours) ? 'later' : 'earlier';
}

/** Parameters that say after which entry a page begins, as APIs and frameworks name them; a place to return to is an address. */
const CURSOR = /^(?:(?:page_?|next_?|end_?)?(?:cursor|token|marker)|after|next|starting_after|max_id|continuation|continue)$/i;

/** True where a mark says where to go on, and nothing but counts changes beside it. */
function goesOn(changed: readonly string[], query: URLSearchParams): boolean {
  const [marks, others] = [changed.filter((name) => CURSOR.test(name)), changed.filter((name) => !CURSOR.test(name))];
  return (
    marks.length === 1 &&
    /^[\w.:=+-]{2,}$/.test(query.get(marks[0] as string) ?? '') &&
    others.every((name) => /^\d{1,7}$/.test(query.get(name) ?? ''))
  );
}

/** Addresses that differ by one number at the end of the path: `list-2.html` against `list.html` or `list-1.html`. */
function trailingStep(candidate: URL, own: URL): AddressStep {
  const theirs = splitTrailing(candidate.pathname);
  const ours = splitTrailing(own.pathname);
  if (candidate.search !== own.search || theirs.stem !== ours.stem || (theirs.number ?? 0) > 9999) return 'elsewhere';
  const from = ours.number ?? 1;
  if (theirs.number === undefined) return ours.number === undefined ? 'same' : 'earlier';
  return theirs.number === from + 1 ? 'following' : theirs.number > from ? 'later' : 'earlier';
}

function splitTrailing(path: string): { readonly stem: string; readonly number: number | undefined } {
  const bare = withoutSlashes(path).replace(/\.(?:html?|php|aspx?|jsp)$/i, '');
  const match = /^(.*?)[-_/.]?(?:index)?(\d{1,5})$/.exec(bare);
  if (!match || isDate(match[1] ?? '', match[2] ?? '')) return { stem: bare.replace(/\/index$/i, ''), number: undefined };
  return { stem: withoutSlashes(match[1] ?? ''), number: Number(match[2]) };
}

/** Archives number years, months and days: the next one is no next page of this one. */
function isDate(stem: string, number: string): boolean {
  return YEAR.test(number) || /(?:^|\/)(?:19|20)\d\d(?:[-/]\d{1,2})?$/.test(stem);
}

const YEAR = /^(?:19|20)\d\d$/;
