// A shop on loopback with a search, a list over pages and a page for each product: what a build makes functions of.
import { startSite } from './crawl-sites.ts';
import type { LocalSite } from './crawl-sites.ts';

/** One product. */
export interface Product {
  readonly title: string;
  readonly price: string;
  readonly sku: string;
}

export interface TeaShop extends LocalSite {
  readonly products: readonly Product[];
  /** Gives every element of its lists another name, or takes the search away. */
  redesign(how: 'renamed' | 'no_search'): void;
}

const PAGE_ROWS = 10;
const NAMES = ['Green', 'Black', 'White', 'Herbal', 'Iced'];
const KINDS = ['Tea', 'Coffee', 'Cocoa'];

export async function startTeaShop(options: { readonly robots?: string } = {}): Promise<TeaShop> {
  const products = Array.from({ length: 60 }, (_, i) => ({
    title: `${NAMES[i % NAMES.length]} ${KINDS[i % KINDS.length]} No. ${i + 1}`,
    price: `${(3 + i * 0.35).toFixed(2)} EUR`,
    sku: `SKU-${1000 + i}`,
  }));
  const shop = { item: 'product', hasSearch: true };
  const site = await startSite((path, url) => {
    if (path === '/robots.txt')
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: options.robots ?? 'User-agent: *\nAllow: /\n' };
    const [, number] = /^\/item\/(\d+)$/.exec(path) ?? [];
    const one = number === undefined ? undefined : products[Number(number)];
    if (one) return pageOf(shop.hasSearch, `<h1>${one.title}</h1><p class="price">${one.price}</p><p>${one.sku}</p>`);
    const word = path === '/search' && shop.hasSearch ? (url.searchParams.get('q') ?? '').toLowerCase() : undefined;
    if (word === undefined && path !== '/' && path !== '/list') return undefined;
    const found = products.filter(({ title }) => title.toLowerCase().includes(word ?? ''));
    return pageOf(shop.hasSearch, listOf(found, url, products, shop.item));
  });
  return {
    ...site,
    products,
    redesign(how) {
      if (how === 'renamed') shop.item = 'tile';
      else shop.hasSearch = false;
    },
  };
}

function pageOf(hasSearch: boolean, main: string): string {
  const search = `<form action="/search" method="get"><label>Search <input type="search" name="q"></label><button>Go</button></form>`;
  return `<!doctype html><html lang="en"><title>Tea shop</title><body><header><a href="/">Home</a> <a href="/list">All products</a>
    ${hasSearch ? search : ''}</header><main>${main}</main></body></html>`;
}

function listOf(found: readonly Product[], url: URL, products: readonly Product[], item: string): string {
  const page = Number(url.searchParams.get('page') ?? 1);
  const rows = found.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map((product) => {
    const link = `<a href="/item/${products.indexOf(product)}"><h3>${product.title}</h3></a>`;
    return `<li class="${item}">${link}<span class="${item}-price">${product.price}</span> <span class="${item}-sku">${product.sku}</span></li>`;
  });
  const further = new URLSearchParams(url.searchParams);
  further.set('page', String(page + 1));
  const next =
    found.length > page * PAGE_ROWS
      ? `<nav><a rel="next" href="${url.pathname}?${further.toString().replaceAll('&', '&amp;')}">Next</a></nav>`
      : '';
  return `<h1>Products</h1>${rows.length > 0 ? `<ul>${rows.join('')}</ul>` : '<p>Nothing was found.</p>'}${next}`;
}
