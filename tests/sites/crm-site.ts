// A customer list whose links act on GET, as many do: what reading may not change, and pages that are only called like commands.
import { startSite } from './crawl-sites.ts';
import type { Answer, LocalSite } from './crawl-sites.ts';

/** Everything that the program stores. */
interface Books {
  readonly customers: Map<number, string>;
  readonly votes: Map<string, number>;
  readonly cart: string[];
  readonly locks: string[];
  sessions: number;
  theme: string;
  language: string;
  purged: number;
  jobs: number;
  subscribers: number;
}

export interface CrmSite extends LocalSite {
  /** The whole database as text. */
  readonly books: () => string;
  /** Paths of all pages. */
  readonly pages: readonly string[];
}

const CUSTOMERS = 12;
/** Pages that are called after a command. */
const TEXTS = [
  '/docs/install',
  '/wiki/Delete',
  '/help/sign-out',
  '/blog/how-to-delete-a-branch',
  '/products/vote-winner',
  '/edit-distance',
  '/releases/12/update',
];

/** Each pattern with what asking for it does. */
const ACTS: readonly (readonly [RegExp, (books: Books, match: RegExpExecArray) => void])[] = [
  [/^\/customers\/(\d+)\/delete$/, (books, [, id]) => void books.customers.delete(Number(id))],
  [/^\/customers\/(\d+)\/edit$/, (books, [, id]) => void books.locks.push(`customer ${id}`)],
  [/^\/kunden\/(\d+)\/l%C3%B6schen$/, (books, [, id]) => void books.customers.delete(Number(id))],
  [/^\/customer\.php\?op=remove&id=(\d+)$/, (books, [, id]) => void books.customers.delete(Number(id))],
  [/^\/c\/(\d+)$/, (books, [, id]) => void books.customers.delete(Number(id))],
  [/^\/(?:logout|users\/sign_out|index\.php\?mode=logout|session\/end)$/, (books) => void books.sessions--],
  [/^\/purge\?confirm=yes$/, (books) => void books.purged++],
  [/^\/theme\?set=(\w+)$/, (books, [, theme]) => void (books.theme = theme ?? '')],
  [/^\/\?setlang=(\w+)$/, (books, [, language]) => void (books.language = language ?? '')],
  [/^\/vote\/(up|down)\?post=\d$/, (books, [, way]) => void books.votes.set(way ?? '', (books.votes.get(way ?? '') ?? 0) + 1)],
  [/^\/posts\/(\d+)\/upvote$/, (books, [, id]) => void books.votes.set(id ?? '', 1)],
  [/^\/\?add-to-cart=(\d+)$/, (books, [, id]) => void books.cart.push(id ?? '')],
  [/^\/unsubscribe\?token=\w+$/, (books) => void books.subscribers--],
  [/^\/cron\.php$/, (books) => void books.jobs++],
];

const LINKS = [
  '<a href="/logout">Log out</a>',
  '<a href="/users/sign_out" data-method="delete">Leave</a>',
  '<a href="/index.php?mode=logout">Bye</a>',
  '<a href="/session/end">Sign out</a>',
  '<a href="/purge?confirm=yes">Purge</a>',
  '<a href="/theme?set=dark">Dark</a>',
  '<a href="/?setlang=de">Deutsch</a>',
  '<a href="/vote/up?post=1">+</a> <a href="/vote/down?post=1">-</a> <a href="/posts/3/upvote">like</a>',
  '<a href="/?add-to-cart=7">Add</a>',
  '<a href="/unsubscribe?token=1f2e">Unsubscribe</a>',
  '<a href="/cron.php">Run jobs</a>',
];

/** Starts a customer list of twelve. */
export async function startCrmSite(): Promise<CrmSite> {
  const books: Books = {
    customers: new Map(Array.from({ length: CUSTOMERS }, (_, i) => [i + 1, `Customer ${i + 1}`])),
    votes: new Map(),
    cart: [],
    locks: [],
    sessions: 1,
    theme: 'light',
    language: 'en',
    purged: 0,
    jobs: 0,
    subscribers: 3,
  };
  const details = [...books.customers.keys()].map((id) => `/customers/${id}`);
  const pages = ['/', '/customers', ...details, ...TEXTS];
  const site = await startSite((path, url) => answer(books, pages, path + url.search));
  const shown = () => JSON.stringify({ ...books, customers: [...books.customers], votes: [...books.votes] });
  return { ...site, books: shown, pages };
}

function answer(books: Books, pages: readonly string[], asked: string): Answer {
  for (const [pattern, act] of ACTS) {
    const match = pattern.exec(asked);
    if (!match) continue;
    act(books, match);
    return { status: 302, headers: { location: '/customers' } };
  }
  if (!pages.includes(asked)) return undefined;
  const id = Number(/^\/customers\/(\d+)$/.exec(asked)?.[1] ?? 0);
  if (id > 0 && !books.customers.has(id)) return undefined;
  const links =
    asked === '/' ? ['/customers', ...TEXTS] : asked === '/customers' ? pages.filter((page) => /\/customers\/\d/.test(page)) : [];
  return pageText(asked, [...LINKS, ...links.map((link) => `<a href="${link}">${link}</a>`), ...(id > 0 ? linksOf(id) : [])]);
}

function linksOf(id: number): readonly string[] {
  return [
    `<a href="/customers/${id}/edit">Edit</a>`,
    `<a href="/customers/${id}/delete">Delete</a>`,
    `<a href="/kunden/${id}/löschen">Löschen</a>`,
    `<a href="/customer.php?op=remove&amp;id=${id}">Remove</a>`,
    `<a href="/c/${id}" onclick="return confirm('Delete?')">x</a>`,
  ];
}

function pageText(path: string, links: readonly string[]): string {
  const text = `This is the page ${path}. It says what no other page of this program says, and it is long enough to be told apart from them.`;
  return `<!doctype html><title>${path}</title><main><h1>${path}</h1><p>${text}</p><p>${text.toUpperCase()}</p></main><nav>${links.join(' ')}</nav>`;
}
