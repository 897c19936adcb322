// Stands in for books.toscrape.com and quotes.toscrape.com, which the guides name: the same markup, three pages of each.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveOnLoopback } from './on-loopback.ts';
import type { LoopbackServer } from './on-loopback.ts';

const PAGES = 3;
const BOOKS_ON_PAGE = 6;
const QUOTES_ON_PAGE = 4;

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface BookSite extends LoopbackServer {
  /** Puts the price of every book up by so much. */
  raisePrices(by: number): void;
}

/** A shop of eighteen books over three pages. */
export async function startBooks(): Promise<BookSite> {
  let raisedBy = 0;
  const site = await serve((path) => {
    const page = path === '/' ? 1 : Number(/^\/catalogue\/page-(\d)\.html$/.exec(path)?.[1]);
    if (page >= 1 && page <= PAGES) return { body: shelf(page, raisedBy) };
    const number = bookNumber(path);
    return number === undefined ? undefined : { body: bookPage(number, raisedBy) };
  });
  return Object.assign(site, { raisePrices: (by: number) => void (raisedBy += by) });
}

/** Quotations: over three pages, by tag, written by a script, and with a login. */
export async function startQuotes(): Promise<LoopbackServer> {
  const tokens = new Set<string>();
  return await serve(async (path, request) => {
    const isIn = /\bsession=/.test(request.headers.cookie ?? '');
    const page = path === '/' ? 1 : Number(/^\/page\/(\d)\/$/.exec(path)?.[1]);
    if (page >= 1 && page <= PAGES) return { body: quotesPage(page, isIn) };
    const tag = /^\/tag\/([a-z]+)\/$/.exec(path)?.[1];
    if (tag !== undefined) return { body: layout(`Viewing tag: ${tag}`, [0, 1].map((n) => quote(n, tag)).join(''), isIn) };
    if (path === '/js/') return { body: scriptedPage() };
    if (path === '/login' && request.method === 'POST') return logIn(await text(request), tokens);
    return path === '/login' ? { body: loginPage(tokens) } : undefined;
  });
}

async function serve(answer: (path: string, request: IncomingMessage) => Answer | undefined | Promise<Answer | undefined>) {
  return await serveOnLoopback((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    void Promise.resolve(answer(path, request)).then((found) => {
      const { status = 200, headers = {}, body = '' } = found ?? { status: 404, body: 'Not Found' };
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
    });
  });
}

const TITLES = ['A Light in the Attic', 'Tipping the Velvet', 'Soumission', 'Sharp Objects', 'Sapiens', 'The Requiem Red'];

function titleOf(number: number): string {
  const volume = Math.floor(number / TITLES.length);
  return `${TITLES[number % TITLES.length]}${volume === 0 ? '' : `, volume ${volume + 1}`}`;
}

function slugOf(number: number): string {
  const words = titleOf(number)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  return `${words}_${1000 - number}`;
}

function bookNumber(path: string): number | undefined {
  const number = Array.from({ length: PAGES * BOOKS_ON_PAGE }, (_, n) => n).find((n) => path === `/catalogue/${slugOf(n)}/index.html`);
  return number;
}

function priceOf(number: number, raisedBy: number): string {
  return `£${(51.77 - number + raisedBy).toFixed(2)}`;
}

function shelf(page: number, raisedBy: number): string {
  const pods = Array.from({ length: BOOKS_ON_PAGE }, (_, i) => {
    const n = (page - 1) * BOOKS_ON_PAGE + i;
    return `<li><article class="product_pod"><h3><a href="/catalogue/${slugOf(n)}/index.html" title="${titleOf(n)}">${titleOf(n)}</a></h3>
      <div class="product_price"><p class="price_color">${priceOf(n, raisedBy)}</p><p class="instock availability">In stock</p></div></article></li>`;
  });
  const next = page < PAGES ? `<ul class="pager"><li class="next"><a href="/catalogue/page-${page + 1}.html">next</a></li></ul>` : '';
  return document('All products', `<section><ol class="row">${pods.join('')}</ol>${next}</section>`);
}

function bookPage(number: number, raisedBy: number): string {
  return document(
    titleOf(number),
    `<article class="product_page"><p class="price_color">${priceOf(number, raisedBy)}</p><p class="instock availability">In stock (22 available)</p>
     <p>It is hard to imagine a world without ${titleOf(number)}. This now-classic collection of poetry and drawings celebrates its anniversary with this special edition.</p></article>`,
  );
}

const SAID = [
  ['The world as we have created it is a process of our thinking.', 'Albert Einstein'],
  ['It is our choices that show what we truly are, far more than our abilities.', 'J.K. Rowling'],
  ['There are only two ways to live your life.', 'Albert Einstein'],
  ['A day without sunshine is like, you know, night.', 'Steve Martin'],
] as const;

function quote(n: number, tag: string): string {
  const [words, author] = SAID[n % SAID.length] ?? SAID[0];
  return `<div class="quote"><span class="text">“${words}”</span><span>by <small class="author">${author}</small></span>
    <div class="tags">Tags: <a class="tag" href="/tag/${tag}/">${tag}</a></div></div>`;
}

function quotesPage(page: number, isIn: boolean): string {
  const quotes = Array.from({ length: QUOTES_ON_PAGE }, (_, n) => quote(n + page, page === 1 ? 'world' : 'life'));
  const next = page < PAGES ? `<nav><ul class="pager"><li class="next"><a href="/page/${page + 1}/">Next</a></li></ul></nav>` : '';
  return layout('Quotes to Scrape', `${quotes.join('')}${next}`, isIn);
}

function layout(title: string, body: string, isIn: boolean): string {
  const account = isIn ? '<a href="/logout">Logout</a>' : '<a href="/login">Login</a>';
  return document(title, `<p>${account}</p>${body}`);
}

/** What a browser alone can read. */
function scriptedPage(): string {
  const data = SAID.map(([words, author]) => ({ words, author }));
  return `<!doctype html><html lang="en"><head><title>Quotes to Scrape</title></head><body><div id="app"></div><script>
    for (const { words, author } of ${JSON.stringify(data)})
      app.insertAdjacentHTML('beforeend', '<div class="quote"><span class="text">' + words + '</span> <small class="author">' + author + '</small></div>');
    </script></body></html>`;
}

function loginPage(tokens: Set<string>): string {
  const token = randomBytes(8).toString('hex');
  tokens.add(token);
  return document(
    'Login',
    `<form action="/login" method="post"><input type="hidden" name="csrf_token" value="${token}">
     <label for="username">Username</label><input type="text" id="username" name="username">
     <label for="password">Password</label><input type="password" id="password" name="password"><input type="submit" value="Login"></form>`,
  );
}

/** Every name and password is let in, once for each form that was shown; as the real one does. */
function logIn(body: string, tokens: Set<string>): Answer {
  const form = new URLSearchParams(body);
  const isRight = tokens.delete(form.get('csrf_token') ?? '') && form.get('username') !== '' && form.get('password') !== '';
  return isRight
    ? { status: 302, headers: { location: '/', 'set-cookie': `session=${randomBytes(8).toString('hex')}; HttpOnly; Path=/` } }
    : { status: 403, body: 'stale form' };
}

function document(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}
