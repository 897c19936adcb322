// A shop on loopback whose pages are edited: harmlessly, as shops are every day, or so that a function of a build no longer does what was proved.
import { startSite } from './crawl-sites.ts';
import type { Answer, LocalSite } from './crawl-sites.ts';

/** What breaks a function, each with the word that names it. */
export const BREAKS = {
  renamed: 'markup_renamed',
  field_gone: 'field_gone',
  field_renamed: 'field_renamed',
  login: 'login',
  captcha: 'captcha',
  refused: 'blocked',
  empty: 'list_empty',
  ignores: 'input_ignored',
  error: 'server_error',
} as const;
export type Break = keyof typeof BREAKS;

export interface EditedShop extends LocalSite {
  /** Other prices, rows, orders of rows and classes, texts of other blocks, and ads. */
  edit(random: () => number): void;
  /** As it was, where nothing is named. */
  spoil(how?: Break): void;
  readonly titles: () => readonly string[];
}

interface Ware {
  readonly id: number;
  readonly title: string;
  price: string;
}

interface Look {
  readonly random: () => number;
  readonly news: string;
  readonly ads: readonly string[];
  readonly hasAdRows: boolean;
}

const NAMES = ['Green', 'Black', 'White', 'Herbal', 'Iced'];
const KINDS = ['Tea', 'Coffee', 'Cocoa', 'Juice'];
const WORDS = ['harvest', 'shipping', 'weekend', 'gift', 'members', 'summer', 'kettle', 'cup', 'newsletter', 'garden', 'offer', 'morning'];
const WARES = 64;
const PAGE_ROWS = 12;

export async function startEditedShop(): Promise<EditedShop> {
  let next = WARES;
  const makeWare = (id: number): Ware => ({
    id,
    title: `${NAMES[id % NAMES.length]} ${KINDS[id % KINDS.length]} No. ${id + 1}`,
    price: '',
  });
  let wares = Array.from({ length: WARES }, (_, id) => ({ ...makeWare(id), price: `${(3 + id * 0.35).toFixed(2)} EUR` }));
  let look: Look = { random: () => 0, news: 'Open all week.', ads: [], hasAdRows: false };
  let how: Break | undefined;
  const site = await startSite((path, url) => {
    if (path === '/login')
      return page(
        'Log in',
        '<form method="post"><input name="user"><input type="password" name="pass"><button>Log in</button></form>',
        undefined,
      );
    if (how === 'login') return { status: 302, headers: { location: '/login' } };
    if (how === 'captcha') return captcha();
    if (how === 'refused') return page('Access denied', '<h1>Access denied</h1><p>You have been blocked.</p>', undefined, 403);
    if (how === 'error') return page('Error', '<p>Something went wrong.</p>', undefined, 500);
    const word = path === '/search' ? (url.searchParams.get('q') ?? '').toLowerCase() : '';
    if (path !== '/' && path !== '/list' && path !== '/search') return undefined;
    const found = how === 'empty' ? [] : wares.filter(({ title }) => how === 'ignores' || title.toLowerCase().includes(word));
    return page('Shop', listOf(found, url, how, look), look);
  });
  return {
    ...site,
    edit(random) {
      const below = (count: number) => Math.floor(random() * count);
      const words = (count: number) => Array.from({ length: count }, () => WORDS[below(WORDS.length)]).join(' ');
      wares = wares.map((ware) => ({ ...ware, price: random() < 0.5 ? `${1 + below(60)}.${10 + below(90)} EUR` : ware.price }));
      const gone = new Set(wares.filter(() => random() < 0.05).map(({ id }) => id));
      const fresh = Array.from({ length: below(6) }, () => ({ ...makeWare(next), price: `${1 + below(60)}.50 EUR`, id: next++ }));
      wares = [...fresh, ...wares.filter(({ id }) => !gone.has(id))].slice(0, WARES + 20);
      if (random() < 0.5)
        wares = wares
          .map((ware) => [random(), ware] as const)
          .sort(([a], [b]) => a - b)
          .map(([, ware]) => ware);
      look = {
        random,
        news: words(4 + below(20)),
        ads: Array.from({ length: below(4) }, () => words(3 + below(8))),
        hasAdRows: random() < 0.3,
      };
    },
    spoil: (next) => void (how = next),
    titles: () => wares.map(({ title }) => title),
  };
}

function page(title: string, main: string, look: Look | undefined, status = 200): Answer {
  const ads = look?.ads.map((text) => `<div class="ad banner"><a href="/list">${text}</a></div>`).join('') ?? '';
  const search = `<form action="/search" method="get"><label>Search <input type="search" name="q"></label><button>Go</button></form>`;
  const around = look
    ? `<header><a href="/">Home</a> <a href="/list">All products</a>${search}</header>${ads}<aside><h2>News</h2><p>${look.news}</p></aside>`
    : '';
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html lang="en"><title>${title}</title><body>${around}<main>${main}</main><footer>${look?.news ?? ''}</footer></body></html>`,
  };
}

function listOf(found: readonly Ware[], url: URL, how: Break | undefined, look: Look): string {
  const at = Number(url.searchParams.get('page') ?? 1);
  const shown = found.slice((at - 1) * PAGE_ROWS, at * PAGE_ROWS);
  if (shown.length === 0) return '<h1>Products</h1><p>Nothing was found.</p>';
  const rows = shown.map((ware) => rowOf(ware, how, look));
  if (look.hasAdRows && rows.length > 3) rows.splice(2, 0, `<li class="sponsored">${look.news}</li>`);
  const further = new URLSearchParams(url.searchParams);
  further.set('page', String(at + 1));
  const next =
    found.length > at * PAGE_ROWS
      ? `<nav><a rel="next" href="${url.pathname}?${further.toString().replaceAll('&', '&amp;')}">Next</a></nav>`
      : '';
  const list =
    how === 'renamed'
      ? `<section class="x1">${rows.join('')}</section>`
      : `<ul class="${classes('shelf grid', look)}">${rows.join('')}</ul>`;
  return `<h1>Products</h1>${list}${next}`;
}

function rowOf({ id, title, price }: Ware, how: Break | undefined, look: Look): string {
  if (how === 'renamed')
    return `<article><div><div><em>${price}</em></div></div><p>Buy now</p><div><div><b>${title}</b></div></div><div><p>In store</p><i>SKU-${1000 + id}</i></div></article>`;
  const cost =
    how === 'field_gone'
      ? ''
      : how === 'field_renamed'
        ? `<div class="x9"><em>${price}</em></div>`
        : `<span class="${classes('price amount', look)}">${price}</span>`;
  return `<li class="${classes('card product', look)}"><a href="/list?ware=${id}"><h3>${title}</h3></a>${cost} <span class="${classes('sku small', look)}">SKU-${1000 + id}</span></li>`;
}

function classes(names: string, { random }: Look): string {
  return random() < 0.5 ? names : names.split(' ').toReversed().join(' ');
}

function captcha(): Answer {
  const body = `<!doctype html><title>Are you human?</title><body><h1>Verify you are human</h1><p>Please complete the captcha to continue.</p>
    <div class="g-recaptcha" data-sitekey="k"></div><script src="https://www.google.com/recaptcha/api.js"></script></body>`;
  return { status: 403, headers: { 'content-type': 'text/html' }, body };
}
