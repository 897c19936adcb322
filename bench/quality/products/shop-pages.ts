// Generates product pages with known facts: every system in every language, with sales, unit prices, instalments and all states.
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import { seeded } from '../boosting.ts';
import type { ProductPage } from './product-pages.ts';
import type { ShopPage } from './shop-systems.ts';
import { SHOP_SYSTEMS } from './shop-systems.ts';
import type { ShopWords } from './shop-words.ts';
import { SHOP_WORDS } from './shop-words.ts';

/** Pages of each system in each language. */
const PAGES_EACH = 4;

interface Draw {
  readonly page: ShopPage;
  readonly amount: number;
  readonly formerAmount: number | undefined;
}

/** The pages of the systems that teach, or of those that are only measured; the host is the system. */
export function generateShopPages(kind: 'taught' | 'unseen'): readonly ProductPage[] {
  const random = seeded(kind === 'taught' ? 11 : 23);
  return Object.entries(SHOP_SYSTEMS[kind]).flatMap(([system, write]) =>
    SHOP_WORDS.flatMap((words) =>
      Array.from({ length: PAGES_EACH }, (_, i): ProductPage => {
        const draw = drawPage(words, random);
        const { sku, stock, isOut, name } = draw.page;
        const numbers = drawNumbers(sku, random);
        const main = write(draw.page).replace('</h1>', `</h1>${numbers.beside}`);
        const html = `<!doctype html><html lang="${words.lang}"><head><title>${name}</title>${statement(draw, random)}</head><body>${frame(words, main)}${numbers.scripts}</body></html>`; // prettier-ignore
        return {
          set: kind === 'taught' ? 'generated' : 'unseen',
          id: `${system}-${words.lang}-${i}`,
          host: system,
          truth: {
            price: [String(draw.amount)],
            sku: numbers.truth,
            ...(stock === undefined && isOut ? {} : { availability: [isOut ? 'OutOfStock' : 'InStock'] }),
          },
          tree: () => parseTree(html, `https://shop.example${draw.page.path}${numbers.path}`),
        };
      }),
    ),
  );
}

/** The numbers of a page besides the labelled one. */
interface Numbers {
  readonly path: string;
  /** What stands bare below the heading. */
  readonly beside: string;
  readonly scripts: string;
  readonly truth: readonly string[];
}

/** The number by which the shop's programs know the product: in address, scripts and fields; the answer where the page shows no other. */
function drawNumbers(sku: string | undefined, random: () => number): Numbers {
  const own = String(Math.floor(10_000 + random() * 9_999_999));
  const shownSku = `${own.slice(0, 4)}/${own.slice(4)}`;
  const isBare = sku === undefined && random() < 0.4 && own.length > 5;
  const inAddress = isBare ? '' : random() < 0.5 ? own : sku !== undefined && random() < 0.4 ? sku : '';
  const scripts = random() < 0.5 ? `<script>dataLayer.push({ecommerce:{items:[{item_id:"${random() < 0.5 ? (sku ?? own) : own}",quantity:1}]}});</script>` : ''; // prettier-ignore
  const field = random() < 0.4 ? `<form action="/wishlist"><input type="hidden" name="product_id" value="${own}"></form>` : '';
  const isOnlyOwn = sku === undefined && inAddress === own && (scripts.includes(own) || field !== '');
  return {
    path: isBare ? `-p${own}.html` : inAddress === '' ? '' : `/${inAddress}`,
    beside: isBare ? `<p>${random() < 0.5 ? '' : 'Nordic '}${shownSku}</p>` : '',
    scripts: scripts + field,
    truth: sku !== undefined ? [sku] : isBare ? [shownSku] : isOnlyOwn ? [own] : [],
  };
}

function drawPage(words: ShopWords, random: () => number): Draw {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const isWhole = !/[.,]\d\d/.test(words.money(1.5));
  const scale = words.currency === 'JPY' ? 100 : isWhole ? 10 : 1;
  const round = (value: number) => (isWhole ? Math.round(value) : Math.round(value * 100) / 100);
  const amount = round((3 + random() ** 3 * 900) * scale - (isWhole ? 1 : 0.01));
  const percent = pick([10, 15, 20, 30, 50]);
  const formerAmount = random() < 0.4 ? round(amount / (1 - percent / 100)) : undefined;
  const isOut = random() < 0.25;
  const name = `${pick(words.nouns)} ${pick(['Nordic', 'Classic', 'Alto', 'Milo', 'XL', '2000'])}`;
  const digits = String(Math.floor(1000 + random() * 8_999_000));
  const sku = random() < 0.85 ? pick([digits, `SKU-${digits}`, `${pick(['AB', 'NX', 'LMP'])}${digits}`, `${digits}-BLK`, `${digits.slice(0, 2)}.${digits.slice(2)}`, `WS${digits.slice(0, 2)}-M-Blue`]) : undefined; // prettier-ignore
  const other = () => round(amount * (0.3 + random() * 2));
  return {
    amount,
    formerAmount,
    page: {
      words,
      name,
      price: words.money(amount),
      former: formerAmount === undefined ? undefined : words.money(formerAmount),
      percent,
      saved: words.money(round((formerAmount ?? amount) - amount)),
      untaxed: words.money(round(amount / 1.2)),
      unit: random() < 0.25 ? words.perKilo(words.money(round(amount * pick([0.2, 2, 4])))) : undefined,
      monthly: random() < 0.25 ? words.monthly(words.money(round(amount / pick([3, 4, 10, 12])))) : undefined,
      sku,
      skuLabel: pick(words.sku),
      barcode: `40${String(Math.floor(random() * 1e11)).padStart(11, '0')}`,
      stock: isOut ? pick(words.outOfStock) : random() < 0.7 ? pick([...words.inStock, words.low(Math.ceil(random() * 9))]) : undefined,
      isOut,
      gap: random() < 0.5 ? '' : '\n',
      others: Array.from({ length: Math.floor(random() * 6) }, () => ({
        name: `${pick(words.nouns)} ${pick(['Luna', 'Pro', 'Mini', 'Basic'])}`,
        price: words.money(other()),
        former: random() < 0.2 ? words.money(other()) : undefined,
      })),
      path: `/${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${Math.floor(random() * 900)}`,
    },
  };
}

/** Half of the pages state what they sell; of the sales three in ten still state the former price, of what is sold out one in ten that it is there. */
function statement({ page, amount, formerAmount }: Draw, random: () => number): string {
  if (random() < 0.5) return '';
  const price = formerAmount !== undefined && random() < 0.3 ? formerAmount : amount;
  const availability = `https://schema.org/${page.isOut && (page.stock === undefined || random() > 0.1) ? 'OutOfStock' : 'InStock'}`;
  const { currency } = page.words;
  if (random() < 0.3) return `<meta property="og:title" content="${page.name}"><meta property="product:price:amount" content="${price}"><meta property="product:price:currency" content="${currency}">`; // prettier-ignore
  const offers = { '@type': 'Offer', price, priceCurrency: currency, availability };
  const data = { '@context': 'https://schema.org', '@type': 'Product', name: page.name, ...(page.sku && random() < 0.8 ? { sku: page.sku } : {}), offers }; // prettier-ignore
  return `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
}

/** What stands around every page of a shop. */
function frame(words: ShopWords, main: string): string {
  return `<header class="site-header"><a href="/">Northwind</a><nav><ul><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul></nav></header>${main}<footer class="site-footer"><p>${words.freeOver(words.money(50))}</p><p>© Northwind</p></footer>`; // prettier-ignore
}
