// A shop whose pages live (texts, prices, order, counts vary), and can be spoiled in ways that a run must not take for good.
import { startSite } from './crawl-sites.ts';
import type { Answer, LocalSite } from './crawl-sites.ts';

/** What is wrong with a page; each spoils the pages of one workflow. */
export const SPOILED = {
  list: ['classes', 'price-class', 'halved', 'emptied', 'login', 'error', 'swapped-fields', 'elsewhere'],
  api: ['renamed', 'retyped', 'api-emptied', 'api-halved', 'api-error'],
  desk: ['relabelled', 'swapped', 'other-tag', 'desk-login'],
} as const;
export type PageKind = keyof typeof SPOILED;
export type Spoiling = (typeof SPOILED)[PageKind][number];

export interface Book {
  readonly name: string;
  readonly price: string;
}

export interface LivingShop extends LocalSite {
  /** Makes the pages other than they were, within what a living page does; `spoiled` in one way more. */
  live(random: () => number, spoiled?: Spoiling): void;
  /** The books as the shop has them now. */
  readonly books: () => readonly Book[];
  /** What its buttons have done since the pages changed last. */
  readonly done: () => readonly string[];
}

const NAMES = ['Salt', 'Harbour', 'Lantern', 'Meadow', 'Orchard', 'Tide', 'Ember', 'Quarry', 'Willow', 'Beacon', 'Gravel', 'Thistle'];
/** Twelve at most: all counts lie within a fifth of the longest. */
const BOOKS_MIN = 10;

export async function startLivingShop(): Promise<LivingShop> {
  let books: readonly Book[] = [];
  let spoiled: Spoiling | undefined;
  let done: string[] = [];
  const site = await startSite((path, url) => {
    if (path === '/done') done.push(url.searchParams.get('what') ?? '');
    if (path === '/list') return spoiled === 'elsewhere' ? { status: 302, headers: { location: '/desk' } } : listPage(books, spoiled);
    if (path === '/api') return json(spoiled, books);
    if (path === '/desk') return deskPage(books, spoiled);
    return path === '/done'
      ? page('Done - Corner shop', '<p>What was asked for is done now, and can be seen in the account.</p>')
      : undefined;
  });
  return {
    ...site,
    live(random, how) {
      const below = (count: number) => Math.floor(random() * count);
      const names = NAMES.map((name) => [random(), name] as const).sort(([a], [b]) => a - b);
      books = names
        .slice(0, BOOKS_MIN + below(NAMES.length - BOOKS_MIN + 1))
        .map(([, name]) => ({ name: `${name} ${1900 + below(120)}`, price: `${1 + below(40)}.${10 + below(90)} EUR` }));
      spoiled = how;
      done = [];
    },
    books: () => books,
    done: () => done,
  };
}

function listPage(books: readonly Book[], spoiled: Spoiling | undefined): Answer {
  if (spoiled === 'login') return loginPage();
  if (spoiled === 'error')
    return page('Something went wrong', '<p>The shelf could not be shown just now. Try it again in a few minutes.</p>');
  const shown = spoiled === 'emptied' ? [] : spoiled === 'halved' ? books.slice(0, Math.ceil(books.length / 2)) : books;
  const item = spoiled === 'classes' ? 'tile' : 'book';
  const price = spoiled === 'price-class' ? 'cost' : 'price';
  const rows = shown.map((book) => {
    const [first, second] = spoiled === 'swapped-fields' ? [book.price, book.name] : [book.name, book.price];
    return `<li class="${item}"><h2>${first}</h2><span class="${price}">${second}</span></li>`;
  });
  return page(
    `${books.length} books for ${books[0]?.price ?? ''} - Corner shop`,
    `<form name="search"><input name="q"></form><p>${books[0]?.name ?? ''} is the book of the day.</p><ul>${rows.join('')}</ul>`,
  );
}

function deskPage(books: readonly Book[], spoiled: Spoiling | undefined): Answer {
  if (spoiled === 'desk-login') return loginPage();
  const button = (id: string, what: string, label: string) =>
    `<button id="${id}" onclick="location='/done?what=${what}'">${label}</button>`;
  const buttons = {
    relabelled: `${button('save', 'delete', 'Delete everything')}${button('other', 'save', 'Save')}`,
    swapped: `${button('save', 'delete', 'Delete')}${button('delete', 'save', `Save (${books.length})`)}`,
    'other-tag': `<a id="save" href="/done?what=delete">Save</a>${button('delete', 'delete', 'Delete')}`,
  };
  const usual = `${button('save', 'save', `Save (${books.length})`)}${button('delete', 'delete', 'Delete')}`;
  const shown = Object.entries(buttons).find(([name]) => name === spoiled)?.[1] ?? usual;
  return page(`Desk of ${books.length} - Corner shop`, `<p>What lies on the desk today: ${books[0]?.name ?? ''}.</p>${shown}`);
}

function json(spoiled: Spoiling | undefined, books: readonly Book[]): Answer {
  const items = (spoiled === 'api-emptied' ? [] : spoiled === 'api-halved' ? books.slice(0, Math.ceil(books.length / 2)) : books).map(
    ({ name, price }) => {
      const amount = Number(price.split(' ')[0]);
      if (spoiled === 'renamed') return { label: name, amount };
      return { name, amount: spoiled === 'retyped' ? { value: amount } : amount };
    },
  );
  const body = spoiled === 'api-error' ? { error: 'try later' } : { items, total: items.length };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function loginPage(): Answer {
  return page(
    'Welcome - Corner shop',
    '<p>Readers of the corner shop find here what they have bought, what they have read and what they want to read next.</p><form name="enter" action="/enter" method="post"><label>Name <input name="user"></label><label>Word <input type="password" name="pass"></label><button>Go on</button></form>',
  );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}
