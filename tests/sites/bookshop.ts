// A shop on loopback for workflows: a search, lists over pages, an API, forms with tokens, a login, files.
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { startSite } from './crawl-sites.ts';
import type { Answer, LocalSite } from './crawl-sites.ts';

export interface Bookshop extends LocalSite {
  /** What its forms and its API were sent, in order. */
  readonly orders: readonly Order[];
  /** How many logins have worked. */
  readonly logins: () => number;
}

export interface Order {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export const USER = 'ada';
export const PASSWORD = 'correct horse battery';
const PAGES = 3;

/** Books are named after what is asked for, three on each of three pages. */
export async function startBookshop(): Promise<Bookshop> {
  const orders: Order[] = [];
  const tokens = new Set<string>();
  const sessions = new Set<string>();
  let logins = 0;
  const newToken = () => {
    const token = randomBytes(8).toString('hex');
    tokens.add(token);
    return token;
  };
  const site = await startSite(async (path, url, request) => {
    const body = request.method === 'POST' ? await text(request) : '';
    if (request.method === 'POST') orders.push({ path, method: 'POST', headers: request.headers, body });
    if (path === '/session' && request.method === 'POST') {
      const form = new URLSearchParams(body);
      if (!tokens.delete(form.get('csrf') ?? '')) return { status: 403, body: 'stale form' };
      if (form.get('user') !== USER || form.get('pass') !== PASSWORD)
        return page('Log in', `<p>Wrong password ${form.get('pass') ?? ''}.</p>${loginForm(newToken())}`);
      const session = randomBytes(8).toString('hex');
      sessions.add(session);
      logins++;
      return { status: 303, headers: { location: '/account', 'set-cookie': `sid=${session}; HttpOnly; Path=/` } };
    }
    if (path === '/leave') sessions.clear();
    const isIn = [...sessions].some((session) => (request.headers.cookie ?? '').includes(`sid=${session}`));
    return answer(path, url, request, body, { token: newToken, take: (token) => tokens.delete(token), isIn });
  });
  return { ...site, orders, logins: () => logins };
}

interface Doors {
  token(): string;
  take(token: string): boolean;
  readonly isIn: boolean;
}

function answer(path: string, url: URL, request: IncomingMessage, body: string, doors: Doors): Answer {
  const q = url.searchParams.get('q') ?? 'book';
  const number = Number(url.searchParams.get('page') ?? '1');
  switch (path) {
    case '/search':
      return page(`Results for ${q}`, list(q, number));
    case '/none':
      return page('Nothing here', '<p>No book was found.</p>');
    case '/api/books':
      return api(q, url.searchParams.get('cursor') ?? '0');
    case '/echo':
      return {
        status: Number(url.searchParams.get('status') ?? '200'),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ method: request.method, headers: request.headers, body, query: Object.fromEntries(url.searchParams) }),
      };
    case '/flaky':
      return { status: (url.searchParams.get('ok') ?? '') === '1' ? 200 : 500, body: page('Flaky', '') };
    case '/order':
      if (request.method !== 'POST') return page('Order', orderForm(doors.token()));
      return orderAnswer(body, request, doors);
    case '/enter':
      return page('Enter', `<p>${'A page with much else on it. '.repeat(20)}</p>${loginForm(doors.token())}`);
    case '/login':
      return page('Log in', loginForm(doors.token()));
    case '/account':
      return doors.isIn
        ? page('Account', '<p id="hello">Hello, Ada. This is your account with all that you have ordered.</p>')
        : { status: 303, headers: { location: '/login' } };
    case '/leave':
      return page('Goodbye', '<p>Whoever was logged in is not any more, and may read on.</p>');
    case '/closed':
      return { status: 303, headers: { location: '/login' } };
    case '/away':
      return { status: 307, headers: { location: url.searchParams.get('to') ?? '/' } };
    case '/file.txt':
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'the bytes of a file' };
    case '/shell':
      return { status: 200, body: '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>' };
    default:
      return undefined;
  }
}

const escape = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function page(title: string, body: string): string {
  const words = 'A shop with books of every kind, where whoever asks is answered, and what is ordered is sent by post.';
  return `<!doctype html><html lang="en"><title>${escape(title)}</title><main><h1>${escape(title)}</h1><p>${words}</p>${body}</main></html>`;
}

function list(q: string, number: number): string {
  const items = [1, 2, 3].map((place) => (number - 1) * 3 + place);
  const rows = items.map(
    (place) =>
      `<li class="book" data-id="${place}"><h2><a href="/book/${place}">${escape(q)} ${place}</a></h2><span class="price">€${place + 3}.50</span><time datetime="2026-01-0${place}">${place} January</time></li>`,
  );
  const next = number < PAGES ? `<a rel="next" href="/search?q=${encodeURIComponent(q)}&amp;page=${number + 1}">Next</a>` : '';
  return `<ul>${number <= PAGES ? rows.join('') : ''}</ul>${next}`;
}

function api(q: string, cursor: string): Answer {
  const from = Number(cursor);
  const items = from < 9 ? [1, 2, 3].map((place) => ({ id: from + place, title: `${q} ${from + place}`, tags: ['a', 'b'] })) : [];
  const next = from + 3 < 9 ? String(from + 3) : null;
  const body = JSON.stringify({ items, next, next_url: next === null ? null : `/api/books?q=${encodeURIComponent(q)}&cursor=${next}` });
  return { status: 200, headers: { 'content-type': 'application/json', 'x-total': '9' }, body };
}

function orderForm(token: string): string {
  return `<form id="subscribe" action="/subscribe" method="post"><input name="mail"></form>
    <form id="order" action="/order" method="post" enctype="multipart/form-data"><div style="display:none"><input type="hidden" name="csrf" value="${token}"></div>
    <label>Title <input name="title" value="none"></label><select name="size"><option value="s">Small</option><option value="l">Large</option></select>
    <label><input type="checkbox" name="gift" value="yes"> A gift</label><label><input type="checkbox" name="news" checked> News</label>
    <textarea name="note">a note</textarea><input type="file" name="cover"><input name="gone" disabled value="x">
    <button name="act" value="draft">Keep</button><button name="act" value="send">Send it</button></form>`;
}

function loginForm(token: string): string {
  return `<form action="/session" method="post"><input type="hidden" name="csrf" value="${token}"><label>User name <input name="user"></label><label>Password <input type="password" name="pass"></label><button>Log in</button></form>`;
}

function orderAnswer(body: string, request: IncomingMessage, doors: Doors): Answer {
  const token = /name="csrf"\r\n\r\n([0-9a-f]+)/.exec(body)?.[1] ?? '';
  if (!doors.take(token)) return { status: 403, body: 'stale form' };
  const print = createHash('sha256').update(body).digest('hex').slice(0, 8);
  return page(
    'Thank you',
    `<p id="receipt">Order ${print} of ${escape(/name="title"\r\n\r\n(.*)\r\n/.exec(body)?.[1] ?? '')} was taken from ${request.headers.referer ?? 'nowhere'}.</p>`,
  );
}
