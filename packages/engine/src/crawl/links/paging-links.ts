// Which links of a page turn to another page of the same list, judged by what the page declares and by the addresses.
import type { PageLinks } from './page-links.ts';

/** `p` is no page: it names posts and products as often, and a list that uses it declares its next page. */
const PAGE_NAME = /^(?:page|pg|paged|pageno|page_?num(?:ber)?|page_?no|page_?index|seite|pagina|offset|start|skip|first)$/i;
/** What an address must have somewhere to be a page of a list that says so. */
const PAGE_HINT = /[?&/](?:pg|paged|page\w*|seite|pagina|offset|start|skip|first)[=/_-]?\d/i;
const NAMED_PART = /^(?:page|seite|pagina)[-_]?\d{1,5}(?:\.\w{1,5})?$/i;
const INDEX_PART = /^(?:index|default)\.\w{1,5}$/i;

/**
 * The targets among `links` that are other pages of the list at `url`: those whose address differs in a page number that names itself
 * (`?page=2`, `/page/2`), and those the page declares as next or previous whose address has the same make. A chain of chapters or articles
 * is no list, however it is declared.
 */
export function pageTurns(url: string, links: PageLinks): readonly string[] {
  const from = URL.parse(url);
  if (!from) return [];
  return links.links.filter((link) => isPageTurn(from, link.url, link.kind === 'next' || link.kind === 'prev')).map((link) => link.url);
}

/** Whether a parameter of this name says which page of a list it is. */
export function isPageName(name: string): boolean {
  return PAGE_NAME.test(name);
}

/** Whether two addresses are pages of one list; a declared turn may have any number or parameter, another only one that says page. */
export function isPageTurn(from: URL, target: string, isDeclared: boolean): boolean {
  // Cheap refusals first: this runs for every link of every page, and a URL makes its origin anew each time.
  if ((!isDeclared && !PAGE_HINT.test(target)) || !target.startsWith(from.origin)) return false;
  const to = URL.parse(target);
  if (!to || to.origin !== from.origin || to.href === from.href) return false;
  if (to.pathname === from.pathname) return isDeclared || isQueryTurn(from, to);
  if (to.search !== from.search) return false;
  return isNamedPathTurn(from.pathname, to.pathname) || (isDeclared && isNumberTurn(from.pathname, to.pathname));
}

function isQueryTurn(from: URL, to: URL): boolean {
  const rest = (url: URL) =>
    [...url.searchParams]
      .filter(([name]) => !PAGE_NAME.test(name))
      .map((pair) => pair.join('='))
      .toSorted()
      .join('&');
  const turned = [...to.searchParams].filter(([name]) => PAGE_NAME.test(name));
  return turned.length > 0 && turned.every(([, value]) => /^\d{1,7}$/.test(value)) && rest(from) === rest(to);
}

/** `/list` and `/list/page/2`, `/list/index.html` and `/list/page-2.html`. */
function isNamedPathTurn(from: string, to: string): boolean {
  const target = listFolder(to);
  return target.isPage && listFolder(from).folder === target.folder;
}

function listFolder(path: string): { readonly folder: string; readonly isPage: boolean } {
  const parts = path.replace(/\/$/, '').split('/');
  const last = parts.at(-1) ?? '';
  if (/^\d{1,5}$/.test(last) && /^(?:page|seite|pagina)$/i.test(parts.at(-2) ?? ''))
    return { folder: parts.slice(0, -2).join('/'), isPage: true };
  if (NAMED_PART.test(last)) return { folder: parts.slice(0, -1).join('/'), isPage: true };
  return { folder: (INDEX_PART.test(last) ? parts.slice(0, -1) : parts).join('/'), isPage: false };
}

/** The same path but for its last number, or with a number where the first page has none. */
function isNumberTurn(from: string, to: string): boolean {
  const stem = (path: string) => path.replace(/[-_/]?\d{1,5}(?=(?:\.\w{1,5})?\/?$)/, '').replace(/\/$/, '');
  return /\d/.test(to + from) && stem(from) === stem(to);
}
