// Small sites with a known API behind or in front of them: what a build finds is held against their own rows.
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveOnLoopback } from './on-loopback.ts';
import type { LoopbackServer } from './on-loopback.ts';

/** One row of every site. */
export interface Good {
  readonly id: number;
  readonly name: string;
  readonly price: string;
  readonly maker: string;
}

/** What a site answers; undefined is a 404. */
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A site, and every request that it was asked, `GET /path?query`. */
export interface ApiSite extends LoopbackServer {
  readonly asked: string[];
}

const KINDS = ['lamp', 'chair', 'table', 'shelf', 'mirror', 'carpet', 'clock', 'basket'];
const LOOKS = ['amber', 'walnut', 'marble', 'copper', 'linen', 'velvet', 'bamboo', 'glass', 'cedar', 'ivory'];
const MAKERS = ['Halvorsen', 'Okafor', 'Lindqvist', 'Tanaka'];

/** Eighty goods; each look and kind is in several names. */
export const GOODS: readonly Good[] = KINDS.flatMap((kind, k) =>
  LOOKS.map((look, l) => ({
    id: k * LOOKS.length + l + 1,
    name: `${look[0]?.toUpperCase() ?? ''}${look.slice(1)} ${kind} ${(k * 7 + l * 3) % 50}`,
    price: `${10 + ((k * 13 + l * 29) % 90)}.50`,
    maker: MAKERS[(k + l) % MAKERS.length] ?? '',
  })),
);

/** The goods that a word finds. */
export function goodsFor(word: string): readonly Good[] {
  return GOODS.filter(({ name }) => name.toLowerCase().includes(word.toLowerCase()));
}

const html = (body: string, title = 'Household goods'): Answer => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html lang="en"><head><title>${title}</title></head><body><header><h1>${title}</h1><nav><a href="/">Home</a> <a href="/about">About us</a></nav></header>${body}<footer>All prices with tax.</footer></body></html>`,
});
const json = (value: unknown): Answer => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
const cards = (goods: readonly Good[]) =>
  `<ul class="goods">${goods.map(({ id, name, price, maker }) => `<li class="good"><h3><a href="/goods/${id}">${name}</a></h3><p class="maker">${maker}</p><span class="price">€${price}</span></li>`).join('')}</ul>`;
const about = () =>
  html('<main><p>We have sold goods for the house since 1911, by post and in our shop at the harbour.</p></main>', 'About us');

type Listener = (path: string, query: URLSearchParams, request: IncomingMessage) => Answer | undefined | Promise<Answer | undefined>;

async function serve(listener: Listener, robots?: string): Promise<ApiSite> {
  const asked: string[] = [];
  const server = await serveOnLoopback((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://site.test');
      asked.push(`${request.method ?? 'GET'} ${url.pathname}${url.search}`);
      const found =
        url.pathname === '/robots.txt' && robots !== undefined
          ? { headers: { 'content-type': 'text/plain' }, body: robots }
          : await listener(url.pathname, url.searchParams, request);
      const { status = found ? 200 : 404, headers = { 'content-type': 'text/html' }, body = '<h1>Not found</h1>' } = found ?? {};
      response.writeHead(status, headers).end(body);
    })();
  });
  return Object.assign(server, { asked });
}

const PAGE = 10;

/** Pages of ten by `?page=`, and a search by GET. */
export async function startShop(robots?: string): Promise<ApiSite> {
  const form =
    '<form action="/search" role="search"><label for="q">Search goods</label><input id="q" name="q" type="search"><button>Search</button></form>';
  return await serve((path, query) => {
    const page = Number(query.get('page') ?? 1);
    const shown = (goods: readonly Good[], title: string) => {
      const from = (page - 1) * PAGE;
      const next = new URLSearchParams(query);
      next.set('page', String(page + 1));
      const onward =
        from + PAGE < goods.length ? `<nav class="pagination"><a rel="next" href="${path}?${next.toString()}">Next</a></nav>` : '';
      return html(`${form}<main>${cards(goods.slice(from, from + PAGE))}${onward}</main>`, title);
    };
    if (path === '/about') return about();
    if (path === '/') return shown(GOODS, 'Household goods');
    const word = query.get('q') ?? '';
    const found = word === '' ? [] : goodsFor(word);
    if (path === '/search')
      return found.length > 0 ? shown(found, `Goods for ${word}`) : html(`${form}<main><p>Nothing was found.</p></main>`, 'Nothing found');
    const good = GOODS.find(({ id }) => path === `/goods/${id}`);
    return good && html(`<main><h2>${good.name}</h2><p>${good.maker}</p><p>€${good.price}</p></main>`, good.name);
  }, robots);
}

/** A search for each of five counters, more than a rung tries. */
export async function startCounters(): Promise<ApiSite> {
  const counters = [1, 2, 3, 4, 5];
  const forms = counters.map(
    (n) =>
      `<form action="/counter/${n}" role="search"><label>Search counter ${n} <input name="q${n}" type="search"></label><button>Search</button></form>`,
  );
  return await serve((path, query) => {
    if (path === '/') return html(`${forms.join('')}<main>${cards(GOODS.slice(0, 24))}</main>`);
    const n = /^\/counter\/([1-5])$/.exec(path)?.[1];
    const word = query.get(`q${n}`) ?? '';
    const found = word === '' ? [] : goodsFor(word);
    return n === undefined
      ? undefined
      : html(`<main>${found.length > 0 ? cards(found.slice(0, 12 - Number(n))) : 'Nothing was found.'}</main>`, 'Found');
  });
}

/** A register in tables: each record is a table of one row, and the search narrows by maker, unless it is left at all of them. */
export async function startRegister(): Promise<ApiSite> {
  const options = ['<option value="">- all makers -</option>', ...MAKERS.map((maker) => `<option>${maker}</option>`)].join('');
  const form = `<form action="/find" role="search"><label>Search goods <input name="q" type="search"></label><select name="maker">${options}</select><button>Search</button></form>`;
  const table = (goods: readonly Good[]) =>
    `<table><thead><tr><th>Number</th><th>Name</th><th>Made by</th><th>Price</th></tr></thead><tbody>${goods
      .map(
        ({ id, name, maker, price }) =>
          `<tr><td><a href="/goods/${id}">${id}</a></td><td>${name}</td><td>${maker}</td><td>€${price}</td></tr>`,
      )
      .join('')}</tbody></table>`;
  return await serve((path, query) => {
    if (path === '/') return html(`${form}<main>${table(GOODS.slice(0, 30))}</main>`, 'Register of goods');
    const good = GOODS.find(({ id }) => path === `/goods/${id}`);
    if (good) return html(`<main><h2>Goods: ${good.id}</h2>${table([good])}</main>`, `Goods ${good.id}`);
    const [word, maker] = [query.get('q') ?? '', query.get('maker') ?? ''];
    const found = word === '' ? [] : goodsFor(word).filter((each) => maker === '' || each.maker === maker);
    return path === '/find' ? html(`${form}<main>${found.length > 0 ? table(found) : 'Nothing was found.'}</main>`, 'Found') : undefined;
  });
}

/** A shop whose first page says what it sells, and whose search says little: it calls its results by no name. */
export async function startCurtSearch(): Promise<ApiSite> {
  const form = '<form action="/find" role="search"><input name="q" type="search" aria-label="Find goods"><button>Find</button></form>';
  return await serve((path, query) => {
    if (path === '/') return html(`${form}<main>${cards(GOODS.slice(0, 24))}</main>`, 'Old household goods');
    const word = query.get('q') ?? '';
    const found = word === '' ? [] : goodsFor(word);
    return path === '/find' ? html(found.length > 0 ? `<main>${cards(found)}</main>` : '<p>Nothing was found.</p>', 'Found') : undefined;
  });
}

/**
 * A shop whose pages show one search form each, and these differ by a hidden field alone: the first page's sends nothing more, that of the offers
 * `maker`, which the site heeds, and that of the news `from`, which it does not.
 */
export async function startThreeForms(): Promise<ApiSite> {
  const form = (hidden: string) =>
    `<form action="/search" role="search"><label>Search goods <input name="q" type="search"></label>${hidden}<button>Search</button></form>`;
  const forms: Readonly<Record<string, string>> = {
    '/': form(''),
    '/offers': form(`<input type="hidden" name="maker" value="${GOODS[0]?.maker ?? ''}">`),
    '/news': form('<input type="hidden" name="from" value="news">'),
  };
  const links = '<nav><a href="/">Goods</a> <a href="/offers">Offers</a> <a href="/news">News of goods</a></nav>';
  return await serve((path, query) => {
    const shown = path === '/' ? cards(GOODS.slice(0, 24)) : '<p>Whatever is new is told here.</p>';
    if (path in forms) return html(`${links}${forms[path] ?? ''}<main>${shown}</main>`, 'Household goods');
    const word = query.get('q') ?? '';
    const found = path === '/search' && word !== '' ? goodsFor(word).filter(({ maker }) => maker.includes(query.get('maker') ?? '')) : [];
    return path === '/search'
      ? html(`${links}<main>${found.length > 0 ? cards(found) : '<p>Nothing was found.</p>'}</main>`, 'Goods found')
      : undefined;
  });
}

/**
 * A shop with two search forms on each page, which send the same fields: `maker` has another value in each, and `back` says on which page they
 * stand, which the site does not heed.
 */
export async function startFormsOfMakers(): Promise<ApiSite> {
  const makers = MAKERS.slice(0, 2);
  const forms = (path: string) =>
    makers
      .map(
        (maker) =>
          `<form action="/search" role="search"><label>Search goods of ${maker} <input name="q" type="search"></label><input type="hidden" name="maker" value="${maker}"><input type="hidden" name="back" value="${path}"><button>Search</button></form>`,
      )
      .join('');
  const paths = ['/', '/offers', '/news', '/house', '/harbour'];
  const links = `<nav>${paths.map((path) => `<a href="${path}">Goods ${path.slice(1)}</a>`).join(' ')}</nav>`;
  return await serve((path, query) => {
    const shown = path === '/' ? cards(GOODS.slice(0, 24)) : '<p>Whatever is new is told here.</p>';
    if (paths.includes(path)) return html(`${links}${forms(path)}<main>${shown}</main>`, 'Household goods');
    const word = query.get('q') ?? '';
    const found = word === '' ? [] : goodsFor(word).filter(({ maker }) => maker === query.get('maker'));
    return path === '/search'
      ? html(`${links}<main>${found.length > 0 ? cards(found) : '<p>Nothing was found.</p>'}</main>`, 'Goods found')
      : undefined;
  });
}

const ARTICLES = GOODS.slice(0, 30).map(({ id, name, maker }) => {
  const title = name.replace(/ \d+$/, '');
  const story = `${title} was drawn by ${maker}, and one of each stands in the museum of the town. ${id % 2 === 0 ? 'Sailors brought timber for it across the harbour' : 'Farmers grew whatever it is stuffed with'} until the workshop moved.`;
  return { path: `/wiki/${title.replaceAll(' ', '_')}`, title, story };
});

/**
 * A wiki whose first page leads to its tools, and by chance to one article. Its search looks at whole articles and shows how each begins; sent
 * without its first button, it leads past the results to what has just that name.
 */
export async function startWiki(): Promise<ApiSite> {
  const tools = ['Log', 'Uploads', 'Versions', 'Contributions', 'Watched', 'Statistics'];
  const form =
    '<form action="/find" role="search"><input type="search" name="search" aria-label="Search the wiki"><input type="submit" name="fulltext" value="Search"><input type="submit" name="go" value="Go"></form>';
  const nav = `<ul>${[...tools, 'Random'].map((tool) => `<li><a href="/wiki/Special:${tool}">${tool}</a></li>`).join('')}</ul>`;
  const page = (title: string, main: string, robots = '') => html(`${robots}<nav>${nav}</nav>${form}<main>${main}</main>`, title);
  return await serve((path, query) => {
    if (path === '/wiki/Main_Page') return page('Main Page', '<p>This wiki has just been made, and is about furniture.</p>');
    if (path === '/wiki/Special:Random') return { status: 302, headers: { location: ARTICLES[7]?.path ?? '' }, body: '' };
    const tool = tools.find((each) => path === `/wiki/Special:${each}`);
    if (tool !== undefined) return page(tool, '<p>Nothing to see.</p>', '<meta name="robots" content="noindex,nofollow">');
    const article = ARTICLES.find((each) => each.path === path);
    const next = ARTICLES[(ARTICLES.findIndex((each) => each === article) + 1) % ARTICLES.length];
    if (article) return page(article.title, `<p>${article.story}</p><p>See also <a href="${next?.path}">${next?.title}</a>.</p>`);
    if (path !== '/find') return undefined;
    const word = (query.get('search') ?? '').toLowerCase();
    const found = ARTICLES.filter(({ title, story }) => word !== '' && `${title} ${story}`.toLowerCase().includes(word));
    const [named] = found.filter(({ title }) => title.toLowerCase().split(' ').includes(word));
    if (named && !query.has('fulltext')) return { status: 302, headers: { location: named.path }, body: '' };
    const rows = found.map((each) => `<li><h3><a href="${each.path}">${each.title}</a></h3><p>${each.story.slice(0, 40)}</p></li>`);
    return page('Results', rows.length === 0 ? '<p>There were no results.</p>' : `<ul class="results">${rows.join('')}</ul>`);
  });
}

/** What has become of the pages of goods since. */
export interface DetailEdits {
  /** Goods that are sold, by their ids. */
  readonly sold: Set<number>;
  isEmpty: boolean;
}

/** A list whose rows lead to a page each: labels, a text, what all say alike, and what each visit changes. */
export async function startDetails(edits: DetailEdits = { sold: new Set(), isEmpty: false }): Promise<ApiSite> {
  let visits = 0;
  return await serve((path) => {
    if (path === '/') return html(`<main>${cards(GOODS.slice(0, 24))}</main>`);
    const good = GOODS.find(({ id }) => path === `/goods/${id}`);
    if (!good || edits.sold.has(good.id)) return undefined;
    if (edits.isEmpty) return html('<main><p>We are moving house.</p></main>', 'Household goods');
    visits += 1;
    const { id, name, maker, price } = good;
    const story = `<p>${name} left the workshop of ${maker} in week ${id}, and was carried to the harbour by hand.</p><p>It is wrapped in paper.</p>`;
    const row = (label: string, value: string) => `<div class="label">${label}:</div><div class="value">${value}</div>`;
    return html(
      `<main><h2 id="good-${id}">${name}</h2><div class="facts">${row('Maker', maker)}${row('Price', `€${price}`)}${row('Delivery', 'two days')}${row('Voucher', '-')}${row('Wood', id % 3 === 0 ? '–' : 'oak')}</div><div class="story">${story.repeat(1 + (id % 2))}</div><p class="visits">Seen by ${visits} people</p></main>`,
      name,
    );
  });
}

const SHELL = (script: string, title = 'Household goods') =>
  html(`<div id="root"></div><script>${script}</script>`, title)
    .body.replace(/<header>.*<\/header>/, '')
    .replace(/<footer>.*<\/footer>/, '');
const RENDER = `const show = (goods) => { document.querySelector('#list').innerHTML = goods.map((g) => '<li class="good"><h3><a href="/goods/' + g.id + '">' + g.name + '</a></h3><p class="maker">' + g.maker + '</p><span class="price">€' + g.price + '</span></li>').join(''); };
const root = document.querySelector('#root');
const frame = (search) => { root.innerHTML = '<h1>Household goods</h1>' + (search ? '<input type="search" name="q" aria-label="Search goods">' : '') + '<ul id="list"></ul>'; };`;

const asShell = (script: string): Answer => ({ headers: { 'content-type': 'text/html; charset=utf-8' }, body: SHELL(script) });

/** A script that fills the page from `/api/goods?q=`, by pages. */
export async function startXhr(): Promise<ApiSite> {
  const script = `${RENDER}frame(true);
const load = (q) => fetch('/api/goods?q=' + encodeURIComponent(q) + '&page=1&limit=20').then((r) => r.json()).then((d) => show(d.goods));
document.querySelector('input').addEventListener('keydown', (e) => { if (e.key === 'Enter') load(e.target.value); });
load('');`;
  return await serve((path, query) => {
    if (path === '/') return asShell(script);
    if (path !== '/api/goods') return undefined;
    const limit = Number(query.get('limit') ?? 20);
    const from = (Number(query.get('page') ?? 1) - 1) * limit;
    const found = goodsFor(query.get('q') ?? '');
    return json({ total: found.length, goods: found.slice(from, from + limit) });
  });
}

const CALLED =
  'Alanna Amiya Bertram Casandra Damian Efrain Elaina Fabiola Gideon Hester Ignacio Jarvis Katrine Lionel Marlene Nikolas Ottilie Pascal Quentin Rosalind Sigmund Tabitha Ulrich Valerie'.split(
    ' ',
  );

/** Members, no two of a name; the control for words has another id each time that it is made. */
export const MEMBERS = CALLED.map((name, i) => ({ id: i + 1, name, city: `${KINDS[i % KINDS.length] ?? ''}ton ${i}`, since: 1990 + i }));

/** A script that lists members, eight a page, from the address at which it asks for a word as well; a name is answered with one row. */
export async function startMembers(): Promise<ApiSite> {
  const script = `${RENDER}const of = sessionStorage.n = Number(sessionStorage.n ?? 0) + 1;
root.innerHTML = '<h1>Members</h1><input type="search" name="q" placeholder="Search members" id="_r_' + of + '_"><ul id="list"></ul>';
const load = (q) => fetch('/api/members?_start=0&_end=8' + (q ? '&q=' + encodeURIComponent(q) : '')).then((r) => r.json()).then((all) => {
  document.querySelector('#list').innerHTML = all.map((m) => '<li><h3>' + m.name + '</h3><p>' + m.city + '</p></li>').join('');
});
document.querySelector('input').addEventListener('keydown', (e) => { if (e.key === 'Enter') load(e.target.value); });
load('');`;
  return await serve((path, query) => {
    if (path === '/' || path === '/members') return asShell(script);
    if (path !== '/api/members') return undefined;
    const word = (query.get('q') ?? '').toLowerCase();
    const found = MEMBERS.filter(({ name, city }) => `${name} ${city}`.toLowerCase().includes(word));
    return json(found.slice(Number(query.get('_start') ?? 0), Number(query.get('_end') ?? 8)));
  });
}

/** A script that shows a list, and behind each of its rows one record from `/api/goods/{id}`; with `isClicked`, rows are no links. */
export async function startXhrDetails(isClicked = false): Promise<ApiSite> {
  const script = `${RENDER}const [, id] = location.pathname.split('/goods/');
if (id) fetch('/api/goods/' + id).then((r) => r.json()).then((g) => { root.innerHTML = '<h1>' + g.name + '</h1><p>' + g.maker + '</p><p>' + g.story + '</p>'; });
else { frame(false); fetch('/api/goods').then((r) => r.json()).then((d) => { show(d.goods); if (${isClicked}) open(); }); }
const open = () => document.querySelectorAll('.good').forEach((row) => {
  const link = row.querySelector('a');
  row.addEventListener('click', () => location.assign(link.href));
  link.replaceWith(link.textContent);
  row.addEventListener('click', () => fetch('/api/opened', { method: 'POST' }).catch(() => undefined));
});`;
  return await serve((path) => {
    if (path === '/' || /^\/goods\/\d+$/.test(path)) return asShell(script);
    if (path === '/api/goods') return json({ goods: GOODS.slice(0, 24) });
    const good = GOODS.find(({ id }) => path === `/api/goods/${id}`);
    return good && json({ ...good, story: `The ${good.name} is made by ${good.maker}.` });
  });
}

/** As `startXhr`, with a script that counts visits, votes and leaves messages by itself, and by whatever is typed. */
export async function startMeddling(): Promise<ApiSite> {
  const script = `${RENDER}frame(true);
const meddle = (what) => {
  fetch('/votes', { method: 'POST', body: what }).catch(() => undefined);
  fetch('/cart/1', { method: 'DELETE' }).catch(() => undefined);
  navigator.sendBeacon('/visits', what);
};
const load = (q) => fetch('/api/goods?q=' + encodeURIComponent(q)).then((r) => r.json()).then((d) => show(d.goods));
document.querySelector('input').addEventListener('keydown', (e) => { if (e.key === 'Enter') { meddle(e.target.value); load(e.target.value); } });
meddle('load');
load('');`;
  return await serve((path, query) => {
    if (path === '/') return asShell(script);
    return path === '/api/goods' ? json({ goods: goodsFor(query.get('q') ?? '').slice(0, 20) }) : undefined;
  });
}

/** A script that loads further rows by a cursor when the page is scrolled. */
export async function startCursor(): Promise<ApiSite> {
  const script = `${RENDER}frame(false); document.querySelector('#list').style.minHeight = '3000px';
let all = []; let next = null;
const load = () => fetch('/api/feed' + (next ? '?cursor=' + next : '')).then((r) => r.json()).then((d) => { all = all.concat(d.goods); next = d.nextCursor; show(all); });
load(); let once = false; addEventListener('scroll', () => { if (!once && next) { once = true; load(); } });`;
  return await serve((path, query) => {
    if (path === '/') return asShell(script);
    if (path !== '/api/feed') return undefined;
    const from = Number((query.get('cursor') ?? 'c0000').slice(1));
    const more = from + PAGE < GOODS.length;
    return json({ goods: GOODS.slice(from, from + PAGE), nextCursor: more ? `c${String(from + PAGE).padStart(4, '0')}` : null });
  });
}

/** A script that asks everything of GraphQL. */
export async function startGraphql(): Promise<ApiSite> {
  const query = 'query Goods($term: String!) { goods(term: $term) { edges { node { id name price maker } } } }';
  const script = `${RENDER}frame(true);
const load = (term) => fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ operationName: 'Goods', query: ${JSON.stringify(query)}, variables: { term } }) }).then((r) => r.json()).then((d) => show(d.data.goods.edges.map((e) => e.node)));
document.querySelector('input').addEventListener('keydown', (e) => { if (e.key === 'Enter') load(e.target.value); });
load('');`;
  return await serve(async (path, _query, request) => {
    if (path === '/') return asShell(script);
    if (path !== '/graphql' || request.method !== 'POST') return undefined;
    const { variables } = JSON.parse(await text(request)) as { readonly variables: { readonly term: string } };
    const found = goodsFor(variables.term).slice(0, 25);
    return json({ data: { goods: { edges: found.map((node) => ({ node })) } } });
  });
}

/** A search by POST; with `guarded` it takes a token that its page gave to this session, and no other. */
export async function startPostSearch(guarded: boolean): Promise<ApiSite> {
  let issued = 0;
  const tokens = new Map<string, string>();
  const page = (body: string, session: string, token: string): Answer => ({
    headers: { 'content-type': 'text/html; charset=utf-8', 'set-cookie': `session=${session}; Path=/` },
    body: html(
      `<form action="/find" method="post" class="search-form"><label for="term">Search goods</label><input id="term" name="term" type="search">${guarded ? `<input type="hidden" name="csrf_token" value="${token}">` : ''}<button>Search</button></form><main>${body}</main>`,
    ).body,
  });
  return await serve(async (path, _query, request) => {
    const session = /session=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? `s${(issued += 1)}`;
    const expected = tokens.get(session);
    const token = `tk${Math.imul((issued += 1) + 7, 2_654_435_761) >>> 0}abcdef`;
    tokens.set(session, token);
    if (path === '/') return page(cards(GOODS.slice(0, 30)), session, token);
    if (path !== '/find' || request.method !== 'POST') return undefined;
    const sent = new URLSearchParams(await text(request));
    if (guarded && sent.get('csrf_token') !== expected) return { status: 403, body: 'This form is no longer valid.' };
    const found = goodsFor(sent.get('term') ?? '');
    return page(found.length === 0 ? '<p>Nothing was found.</p>' : cards(found), session, token);
  });
}

/** Pages without any list. */
export async function startEmpty(): Promise<ApiSite> {
  return await serve((path) =>
    path === '/'
      ? html('<main><p>We open in spring. Come back then, and bring your friends.</p></main>', 'Opening soon')
      : path === '/about'
        ? about()
        : undefined,
  );
}

/** Months without an end, beside one list of events. */
export async function startCalendar(): Promise<ApiSite> {
  return await serve((path) => {
    const month = Number(/^\/calendar\/(\d+)$/.exec(path)?.[1] ?? (path === '/' ? 100 : Number.NaN));
    if (Number.isNaN(month)) return undefined;
    const days = Array.from({ length: 28 }, (_, day) => `<a href="/calendar/${month}/day/${day + 1}">${day + 1}</a>`).join(' ');
    return html(
      `<nav><a href="/calendar/${month - 1}">Earlier</a> <a href="/calendar/${month + 1}">Later</a></nav><div class="days">${days}</div><main><h2>Goods on show</h2>${path === '/' ? cards(GOODS.slice(0, 12)) : '<p>Nothing is on show.</p>'}</main>`,
      'Calendar of goods',
    );
  });
}
