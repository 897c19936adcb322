// Weighs stated article numbers against shown ones.
import type { MainProduct, PageIdentity } from './main-product.ts';
import { isInAddress } from './main-product.ts';
import type { ProductEvidence, ProductSource } from './evidence.ts';
import type { FoundSku } from './found-sku.ts';

interface Candidate {
  readonly sku: string;
  readonly source: ProductSource;
  readonly score: number;
}

/** Numbers longer than this are sentences. */
const SKU_CHARS_MAX = 60;
const AGREEMENT = 2;
/** A number that the page doesn't show counts a little less than one under a plain label near the heading. */
const STATED_SCORE = 6.2;
const GTIN_PENALTY = 2.5;

/** The shop's number of the product; undefined where no source gives one. */
export function chooseSku(
  main: MainProduct | undefined,
  openGraph: Readonly<Record<string, readonly string[]>>,
  found: readonly FoundSku[],
  identity: PageIdentity,
): ProductEvidence | undefined {
  const stated = [...statedSkus(main, identity), ...openGraphSkus(openGraph)];
  const visible = new Set(found.filter((each) => each.isVisible).map((each) => each.sku));
  const known = new Set(stated.map((each) => each.sku));
  const weighed = found.map(({ sku, score }): Candidate => {
    const agreement = known.has(sku) ? AGREEMENT : 0;
    return { sku, source: 'text', score: score + agreement - (isGtin(sku) ? GTIN_PENALTY : 0) };
  });
  const candidates = [...stated.map((each) => (visible.has(each.sku) ? { ...each, score: each.score + AGREEMENT } : each)), ...weighed];
  const best = candidates.filter(({ sku }) => sku.length <= SKU_CHARS_MAX).toSorted((a, b) => b.score - a.score)[0];
  return best && best.score >= 3 ? { field: 'sku', source: best.source, raw: best.sku } : undefined;
}

/** The number of a variant says little about the product: with several variants and none chosen it counts least. */
function statedSkus(main: MainProduct | undefined, identity: PageIdentity): readonly Candidate[] {
  if (!main) return [];
  const { product, variants } = main;
  const isVariantNumber = variants.some((variant) => variant.sku === product.sku);
  const list: Candidate[] = [];
  if (product.sku !== undefined) list.push({ sku: product.sku, source: product.source, score: isVariantNumber ? 3.5 : STATED_SCORE });
  product.otherIds.forEach((sku, i) =>
    list.push({ sku, source: product.source, score: 4 - i * 0.5 + (isInAddress(sku, identity) ? 1.5 : 0) }),
  );
  return list;
}

function openGraphSkus(openGraph: Readonly<Record<string, readonly string[]>>): readonly Candidate[] {
  const names = ['product:retailer_item_id', 'product:retailer_part_no', 'product:mfr_part_no'];
  return names.flatMap((name, i) =>
    openGraph[name]?.[0]
      ? [{ sku: openGraph[name][0], source: 'og', score: 4.5 - i - (isGtin(openGraph[name][0]) ? GTIN_PENALTY : 0) }]
      : [],
  );
}

/** A trade item number by length and check digit: https://www.gs1.org/services/how-calculate-check-digit-manually */
function isGtin(text: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return false;
  const sum = [...text].reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
