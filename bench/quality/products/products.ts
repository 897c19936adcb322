// How well products are read: F1 of price, article number and availability on public product pages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { AvailabilityState } from '../../../packages/engine/src/extract/availability/state.ts';
import { stateOfTerm } from '../../../packages/engine/src/extract/availability/state.ts';
import { parsePrice } from '../../../packages/engine/src/extract/price/price.ts';
import { readProduct } from '../../../packages/engine/src/extract/product/product.ts';
import { readStatedProducts } from '../../../packages/engine/src/extract/product/stated.ts';
import { readStructuredData } from '../../../packages/engine/src/extract/structured/structured.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import { parseTree } from '../../../packages/engine/src/html/tree.ts';
import type { Split } from '../dataset.ts';
import { bootstrapInterval, findDataset, hostKey, isSampled, splitOf } from '../dataset.ts';
import type { ProductPage } from './product-pages.ts';
import { loadProductPages } from './product-pages.ts';
import { generateShopPages } from './shop-pages.ts';

export type ProductAttribute = 'price' | 'sku' | 'availability';
export const PRODUCT_ATTRIBUTES: readonly ProductAttribute[] = ['price', 'sku', 'availability'];

interface Truth {
  readonly url: string;
  readonly price?: readonly string[];
  readonly sku?: readonly string[];
  readonly availability?: readonly string[];
}

interface Row {
  readonly id: string;
  readonly url: string;
  readonly split: Split;
  readonly predicted: Readonly<Record<ProductAttribute, string | undefined>>;
  readonly truth: Truth;
}

export interface AttributeScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** 95 % bootstrap interval of F1 over pages. */
  readonly interval: readonly [low: number, high: number];
}

export interface ProductScores {
  readonly split: Split | 'all';
  readonly pages: number;
  readonly scores: Readonly<Record<ProductAttribute, AttributeScore>>;
}

/** Scores of both halves and of all pages; with `full: false` on the fixed sample. Undefined where the data is absent. */
export function measureProducts(options: { readonly full: boolean }): readonly ProductScores[] | undefined {
  const rows = readRows(options.full);
  if (!rows) return undefined;
  return (['tune', 'report', 'all'] as const).map((split) => {
    const part = rows.filter((row) => split === 'all' || row.split === split);
    return { split, pages: part.length, scores: scoresOf(part) };
  });
}

function scoresOf(rows: readonly Row[]): Readonly<Record<ProductAttribute, AttributeScore>> {
  const scores = PRODUCT_ATTRIBUTES.map((attribute) => [attribute, scoreOf(rows, attribute)] as const);
  return Object.fromEntries(scores) as Record<ProductAttribute, AttributeScore>;
}

/** Pages made for measuring: their data taken out, or in the markup of systems that taught nothing. Slow: it reads all sets. */
function measureMade(): readonly (readonly [title: string, rows: readonly Row[]])[] {
  const pages = [...loadProductPages(), ...generateShopPages('unseen')];
  return (['labelled', 'stripped', 'masked', 'unseen'] as const).flatMap((set) => {
    const own = pages.filter((page) => page.set === set);
    const rows = (read: (tree: PageTree) => Row['predicted']) => own.map((page) => rowOf(page, read));
    return [
      [set, rows(predict)],
      [`${set}: data only`, rows(predictByData)],
    ] as const;
  });
}

function rowOf(page: ProductPage, read: (tree: PageTree) => Row['predicted']): Row {
  const tree = page.tree();
  return { id: page.id, url: tree.url, split: splitOf(page.host), predicted: read(tree), truth: { url: tree.url, ...page.truth } };
}

/** What a reader of structured data alone would say: the first product and its first offer, else OpenGraph. */
function predictByData(tree: PageTree): Row['predicted'] {
  const structured = readStructuredData(tree);
  const [product] = readStatedProducts(structured, undefined);
  const [offer] = product?.offers ?? [];
  const { openGraph } = structured;
  const price = offer?.price ?? parsePrice((openGraph['product:price:amount'] ?? openGraph['og:price:amount'])?.[0] ?? '');
  const state = stateOfTerm(offer?.availability ?? openGraph['product:availability']?.[0] ?? '') ?? 'unknown';
  return { price: price?.amount, sku: product?.sku, availability: binary(state) };
}

function readRows(full: boolean): readonly Row[] | undefined {
  const folder = findDataset('products');
  if (folder === undefined) return undefined;
  const truths = JSON.parse(readFileSync(join(folder, 'ground-truth.json'), 'utf8')) as Record<string, Truth>;
  return Object.entries(truths)
    .filter(([id]) => full || isSampled(id))
    .map(([id, truth]) => {
      const html = gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))).toString('utf8');
      return {
        id,
        url: truth.url,
        split: splitOf(hostKey(truth.url)),
        predicted: predict(parseTree(html, truth.url)),
        truth: { price: [], sku: [], availability: [], ...truth },
      };
    });
}

function predict(tree: PageTree): Row['predicted'] {
  const product = readProduct(tree, readStructuredData(tree));
  const state = product?.availability.state ?? 'unknown';
  return { price: product?.price?.amount, sku: product?.sku, availability: binary(state) };
}

/** The state as the labelled set writes it. */
function binary(state: AvailabilityState): 'InStock' | 'OutOfStock' | undefined {
  if (state === 'unknown') return undefined;
  return state === 'out_of_stock' || state === 'discontinued' ? 'OutOfStock' : 'InStock';
}

function scoreOf(all: readonly Row[], attribute: ProductAttribute): AttributeScore {
  const rows = all.filter((row) => row.truth[attribute] !== undefined);
  const total = totalOf(rows, attribute);
  return { ...total, interval: bootstrapInterval(rows, (sample) => totalOf(sample, attribute).f1) };
}

/** A wrong value is both a false positive and a miss, a value where none is expected a false positive. */
function totalOf(rows: readonly Row[], attribute: ProductAttribute): { precision: number; recall: number; f1: number } {
  let right = 0;
  let predictions = 0;
  let expected = 0;
  for (const row of rows) {
    const predicted = row.predicted[attribute];
    if (predicted !== undefined) predictions++;
    if (row.truth[attribute]?.length) expected++;
    if (predicted !== undefined && isRight(row, attribute)) right++;
  }
  const precision = right / predictions || 0;
  const recall = right / expected || 0;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) || 0 };
}

function isRight(row: Row, attribute: ProductAttribute): boolean {
  const normal = (text: string) => (attribute === 'price' ? String(Number(text)) : text);
  const predicted = row.predicted[attribute];
  return predicted !== undefined && (row.truth[attribute] ?? []).map(normal).includes(normal(predicted));
}

function print(title: string, pages: number, scores: Readonly<Record<ProductAttribute, AttributeScore>>): void {
  for (const attribute of PRODUCT_ATTRIBUTES) {
    const { precision, recall, f1, interval } = scores[attribute];
    const bounds = interval.map((end) => end.toFixed(3)).join('..');
    console.log(
      `${title.padEnd(20)} ${pages} pages  ${attribute.padEnd(12)} F1 ${f1.toFixed(3)} [${bounds}]  P ${precision.toFixed(3)} R ${recall.toFixed(3)}`,
    );
  }
}

/** Wrong and missing values of the half that may be looked at. */
function printMisses(rows: readonly Row[]): void {
  for (const row of rows.filter(({ split }) => split === 'tune')) {
    for (const attribute of PRODUCT_ATTRIBUTES) {
      const expected = row.truth[attribute] ?? [];
      if (isRight(row, attribute) || (row.predicted[attribute] === undefined && expected.length === 0)) continue;
      console.log(
        `${row.id.slice(0, 6)} ${attribute}: ${row.predicted[attribute] ?? '-'} for ${expected.join(' | ') || '-'}  ${row.url.slice(0, 70)}`,
      );
    }
  }
}

if (import.meta.main) {
  const startCpu = process.cpuUsage();
  const result = measureProducts({ full: !process.argv.includes('--sample') });
  const cpu = process.cpuUsage(startCpu);
  if (!result) console.log('The products set is absent; nothing was measured.');
  for (const { split, pages, scores } of result ?? []) print(split, pages, scores);
  console.log(`${((cpu.user + cpu.system) / 1e6).toFixed(1)} s CPU`);
  if (process.argv.includes('--made')) {
    console.log(
      'price and sku of all but `unseen` are of pages that taught: the figures for hosts not seen are of train-products.ts --report',
    );
    for (const [title, rows] of measureMade()) print(title, rows.length, scoresOf(rows));
  }
  if (process.argv.includes('--misses')) printMisses(readRows(true) ?? []);
}
