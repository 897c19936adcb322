// The candidates of every product page beside its truth: what the choosers of price and article number learn from.
import { readProductFacts } from '../../../packages/engine/src/extract/product/product-facts.ts';
import { priceRows } from '../../../packages/engine/src/extract/product/price-features.ts';
import { readStructuredData } from '../../../packages/engine/src/extract/structured/structured.ts';
import type { Choice } from '../choices.ts';
import type { ProductPage } from './product-pages.ts';

/** The choices of one page; an attribute whose truth is unknown is absent. */
export interface ProductChoices {
  readonly price?: Choice;
  readonly sku?: Choice;
}

/** What a page offers to choose from. */
export function readChoices(page: ProductPage): ProductChoices {
  const tree = page.tree();
  const { prices, shown, skus } = readProductFacts(tree, readStructuredData(tree));
  const { set, id, host, truth } = page;
  return {
    ...(truth.price && {
      price: {
        set,
        id,
        host,
        rows: priceRows(prices, shown),
        values: prices.map(({ price }) => plain(price.amount)),
        truth: truth.price.map(plain),
      },
    }),
    ...(truth.sku && {
      sku: { set, id, host, rows: skus.map(({ row }) => row), values: skus.map(({ sku }) => sku), truth: truth.sku },
    }),
  };
}

/** Whether the truth is among the candidates; data of a page often states what the page does not show. */
export function isAnswerable({ values, truth }: Choice): boolean {
  return truth.length === 0 || truth.some((value) => values.includes(value));
}

function plain(amount: string): string {
  return String(Number(amount));
}
