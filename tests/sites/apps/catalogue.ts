// What the small applications show: the same shop for all three, so that a page has one truth whoever renders it.
import { mulberry32 } from '../../conformance/fuzz.ts';

/** A product as the applications' own interfaces tell it. */
export interface Product {
  readonly id: number;
  readonly name: string;
  readonly price: string;
  readonly text: string;
}

/** One page of an application as data: what a template, on whichever side, is given. */
export interface PageState {
  readonly path: string;
  readonly title: string;
  readonly products: readonly Product[];
  /** Where the next page of the list is. */
  readonly next?: string;
}

const PRODUCTS = 24;
const PER_PAGE = 8;
const NAMES = ['Lamp', 'Chäir', 'Teapot "Ada"', 'Bed & Blanket', 'Shelf <small>', '棚', 'Clock 🕰', "Baker's rack", '</script> poster'];
const WORDS = ['solid', 'oak', 'made', 'by', 'hand', 'for', 'rooms', 'that', 'are', 'lived', 'in', '&', 'loved'];

/** Every page of the shop, by its path: the lists, then the products. */
export function shopPages(seed: number): ReadonlyMap<string, PageState> {
  const products = shopProducts(mulberry32(seed));
  const lists = Array.from({ length: PRODUCTS / PER_PAGE }, (_, at): PageState => {
    const isLast = (at + 1) * PER_PAGE >= PRODUCTS;
    return {
      path: at === 0 ? '/' : `/list/${at + 1}`,
      title: `All products, page ${at + 1}`,
      products: products.slice(at * PER_PAGE, (at + 1) * PER_PAGE),
      ...(isLast ? {} : { next: `/list/${at + 2}` }),
    };
  });
  const details = products.map((product): PageState => ({ path: `/product/${product.id}`, title: product.name, products: [product] }));
  return new Map([...lists, ...details].map((page) => [page.path, page]));
}

function shopProducts(random: () => number): readonly Product[] {
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? '';
  return Array.from({ length: PRODUCTS }, (_, i) => ({
    id: i + 1,
    name: `${pick(NAMES)} ${i + 1}`,
    price: `${(random() * 500).toFixed(2)} €`,
    text: Array.from({ length: 80 + Math.floor(random() * 80) }, () => pick(WORDS)).join(' '),
  }));
}
