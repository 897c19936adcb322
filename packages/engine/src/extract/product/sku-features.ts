// What is known of one article number of a page, as numbers that the fitted trees compare.
import type { FoundSku, LabelledSku } from './found-sku.ts';
import type { MainProduct, PageIdentity } from './main-product.ts';
import { isInAddress, isWithinAddress } from './main-product.ts';
import type { SkuLabelKind } from './sku-labels.ts';
import type { AvailabilitySource } from '../availability/state.ts';

/** One number with all places that give it. */
export interface SkuCandidate {
  readonly sku: string;
  /** The best place: a format of data, or the page itself. */
  readonly source: AvailabilitySource;
  readonly row: Float32Array;
}

/** Names of the features in the order of a row. */
export const SKU_FEATURES = [
  'stated', 'statedOfVariant', 'otherId', 'openGraph', 'isAnyStated',
  'label', 'labelMarked', 'labelGap', 'labelMain', 'labelOrder', 'betterLabels', 'labelled',
  'token', 'attribute', 'skuProperty', 'idProperty', 'field', 'namedField',
  'addressEnd', 'scriptCount', 'scriptNamedSku', 'scriptOnly', 'inAddress', 'withinAddress', 'places',
  'gtin', 'chars', 'digits', 'letters', 'lowerCase', 'blanks',
] as const; // prettier-ignore

/** Numbers longer than this are sentences. */
const SKU_CHARS_MAX = 60;
const GAP_MAX = 300;
const LABEL_NUMBER: Readonly<Record<SkuLabelKind, number>> = { sku: 5, number: 4, model: 3, maker: 2, other: 1 };
const OPEN_GRAPH_NAMES = ['product:retailer_item_id', 'product:retailer_part_no', 'product:mfr_part_no'];

/** All article numbers of the page, stated ones first, each once. */
export function skuCandidates(
  main: MainProduct | undefined,
  openGraph: Readonly<Record<string, readonly string[]>>,
  found: readonly FoundSku[],
  identity: PageIdentity,
): readonly SkuCandidate[] {
  const data = statedSkus(main);
  const shared = OPEN_GRAPH_NAMES.map((name) => openGraph[name]?.[0]);
  const bySku = Map.groupBy(found, ({ sku }) => sku);
  const all = [...new Set([...data.keys(), ...shared.filter((sku) => sku !== undefined), ...bySku.keys()])];
  const labelled = found.filter((each) => each.place === 'label');
  return all
    .filter((sku) => sku !== '' && sku.length <= SKU_CHARS_MAX)
    .map((sku) => {
      const { stated = 0, ofVariant = 0, otherId = 0 } = data.get(sku) ?? {};
      const openGraphRank = shared.indexOf(sku) + 1;
      const places = bySku.get(sku) ?? [];
      const row = [
        stated, ofVariant, otherId, openGraphRank, +(main?.product.sku !== undefined),
        ...labelFeatures(places.filter((each) => each.place === 'label'), labelled),
        ...placeFeatures(places),
        +isInAddress(sku, identity), +isWithinAddress(sku, identity), new Set(places.map(({ place }) => place)).size + +(data.has(sku) || openGraphRank > 0),
        ...formFeatures(sku),
      ]; // prettier-ignore
      const source = data.has(sku) && main ? main.product.source : openGraphRank > 0 ? 'og' : 'text';
      return { sku, source, row: Float32Array.from(row) };
    });
}

interface StatedSku {
  readonly stated: number;
  readonly ofVariant: number;
  readonly otherId: number;
}

function statedSkus(main: MainProduct | undefined): ReadonlyMap<string, StatedSku> {
  const skus = new Map<string, StatedSku>();
  if (!main) return skus;
  const { product, variants } = main;
  product.otherIds.forEach((sku, i) => skus.set(sku, { stated: 0, ofVariant: 0, otherId: i + 1 }));
  if (product.sku !== undefined) {
    const ofVariant = +variants.some((variant) => variant.sku === product.sku);
    skus.set(product.sku, { stated: 1, ofVariant, otherId: 0 });
  }
  return skus;
}

/** Of the label that says most: what it names, where it stands, and how many others say more. */
function labelFeatures(own: readonly LabelledSku[], all: readonly LabelledSku[]): readonly number[] {
  const worth = (each: LabelledSku) => LABEL_NUMBER[each.label] + (each.isMain ? 10 : 0) - Math.min(1, Math.abs(each.gap) / GAP_MAX);
  const best = own.toSorted((a, b) => worth(b) - worth(a))[0];
  if (!best) return [0, 0, GAP_MAX, 0, 0, all.length, 0];
  const better = all.filter((each) => each.sku !== best.sku && worth(each) > worth(best)).length;
  const gap = Math.max(-GAP_MAX, Math.min(GAP_MAX, best.gap));
  return [LABEL_NUMBER[best.label], +best.isMarked, gap, +best.isMain, all.indexOf(best), better, own.length];
}

function placeFeatures(places: readonly FoundSku[]): readonly number[] {
  const has = (place: FoundSku['place']) => +places.some((each) => each.place === place);
  const script = places.find((each) => each.place === 'script');
  return [
    has('token'), has('attribute'), has('sku_property'), has('id_property'), has('field'), has('named_field'),
    has('address_end'),
    Math.log2(1 + (script?.count ?? 0)), +(script?.isNamedSku ?? false), +(script?.isOnly ?? false),
  ]; // prettier-ignore
}

function formFeatures(sku: string): readonly number[] {
  const count = (pattern: RegExp) => sku.match(pattern)?.length ?? 0;
  return [+isGtin(sku), sku.length, count(/\d/g), count(/\p{L}/gu), +/\p{Ll}/u.test(sku), count(/\s/g)];
}

/** A trade item number by length and check digit: https://www.gs1.org/services/how-calculate-check-digit-manually */
function isGtin(text: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(text)) return false;
  const sum = [...text].reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
