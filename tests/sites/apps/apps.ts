// Three small applications that show one shop: filled by scripts alone, rendered and then taken over, rendered and then improved.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, LocalSite } from '../crawl-sites.ts';
import { startSite } from '../crawl-sites.ts';
import type { PageState } from './catalogue.ts';
import { shopPages } from './catalogue.ts';

/** Who puts the content of an application's pages together. */
export type AppKind = 'client-rendered' | 'hydrated' | 'enhanced';
export const APP_KINDS: readonly AppKind[] = ['client-rendered', 'hydrated', 'enhanced'];

export interface App extends LocalSite {
  readonly kind: AppKind;
  /** What its pages show, by path. */
  readonly pages: ReadonlyMap<string, PageState>;
}

/** The templates that browsers and the server share. */
interface View {
  mainOf(state: PageState): string;
  escape(text: string): string;
}

/** An application on a free loopback port; the same seed gives the same shop. */
export async function startApp(kind: AppKind, seed: number): Promise<App> {
  const pages = shopPages(seed);
  // A script of browsers has no types; `View` is written from it.
  const view = (await import(new URL('./view.js', import.meta.url).href)) as View;
  const render = RENDERERS[kind];
  const site = await startSite((path, url) => {
    if (path.startsWith('/scripts/')) return scriptAnswer(path.slice('/scripts/'.length));
    if (path === '/api/page') return jsonAnswer(pages.get(url.searchParams.get('path') ?? ''));
    if (path === '/api/stock') return jsonAnswer((url.searchParams.get('ids') ?? '').split(',').map((id) => Number(id) % 7));
    if (path === '/pictures/shop.svg') return { status: 200, headers: { 'content-type': 'image/svg+xml' }, body: PICTURE };
    const state = pages.get(path);
    return state && render(state, view);
  });
  return { ...site, kind, pages };
}

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4"/></svg>';
const SCRIPTS: readonly string[] = ['view', ...APP_KINDS].map((name) => `${name}.js`);

/** The same shell for every address: only its script knows what stands there. */
function renderShell(): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><script type="module" src="/scripts/client-rendered.js"></script></head>
<body><div id="root"></div><noscript>This shop needs JavaScript.</noscript></body></html>`;
}

function renderHydrated(state: PageState, { mainOf, escape }: View): string {
  // What ends a script must not stand in one.
  const embedded = JSON.stringify(state).replaceAll('<', '\\u003c');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(state.title)}</title></head>
<body><div id="root"><header><a href="/">Shop</a></header><main>${mainOf(state)}</main></div>
<script id="__SHOP_STATE__" type="application/json">${embedded}</script><script type="module" src="/scripts/hydrated.js"></script></body></html>`;
}

function renderEnhanced(state: PageState, { mainOf, escape }: View): string {
  return `<!doctype html><html lang="en" id="top"><head><meta charset="utf-8"><title>${escape(state.title)}</title><script type="module" src="/scripts/enhanced.js"></script></head>
<body><header><a href="/">Shop</a> <img alt="The shop" data-src="/pictures/shop.svg"></header><main>${mainOf(state)}</main>
<footer><form action="/search"><label>Search <input name="q"></label><button>Search</button></form></footer></body></html>`;
}

const RENDERERS: Readonly<Record<AppKind, (state: PageState, view: View) => string>> = {
  'client-rendered': renderShell,
  hydrated: renderHydrated,
  enhanced: renderEnhanced,
};

function scriptAnswer(name: string): Answer {
  if (!SCRIPTS.includes(name)) return undefined;
  return { status: 200, headers: { 'content-type': 'text/javascript' }, body: readFileSync(join(import.meta.dirname, name), 'utf8') };
}

function jsonAnswer(value: unknown): Answer {
  return value === undefined
    ? { status: 404, headers: { 'content-type': 'application/json' }, body: '{"error":"unknown"}' }
    : { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
