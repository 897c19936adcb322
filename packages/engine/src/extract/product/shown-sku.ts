// Finds the article number that a page shows: behind a label, or as a token that also stands in the address.
import type { FoundSku, LabelledSku } from './found-sku.ts';
import type { PageIdentity } from './main-product.ts';
import { isInAddress } from './main-product.ts';
import type { PageText, TextBlock } from './page-text.ts';
import type { SkuLabel } from './sku-labels.ts';
import { findSkuLabel } from './sku-labels.ts';

const VALUE = /^[\s:：#(.№-]*(\d{2,}(?: \d{2,}){1,4}(?=\s*$)|[\p{L}\p{N}][\p{L}\p{N}._/\-+]{1,38})/u;
const LABELLED = /[:：#№]|\s/gu;
/** Lengths of EAN, UPC and ISBN numbers with their own labels: an article number is none of them. */
const OTHER_LABEL = /ean|gtin|upc|isbn|barcode|phone|tel|fax|nip|vat|date|dimension|weight|height|width/i;
const LABEL_CHARS_MAX = 40;

/** Article numbers that the page shows, in document order: behind labels, and near the heading where the address has the same digits. */
export function findShownSkus(page: PageText, identity: PageIdentity): readonly FoundSku[] {
  return [...labelled(page, identity), ...unlabelled(page, identity)];
}

function* labelled(page: PageText, identity: PageIdentity): Generator<FoundSku> {
  for (const [i, block] of page.blocks.entries()) {
    if (block.text.length > 300) continue;
    const next = page.blocks[i + 1];
    yield* inside(block, page);
    if (next && block.text.length <= LABEL_CHARS_MAX && next.text.length <= LABEL_CHARS_MAX) yield* pair(block, next, page, identity);
  }
}

/** `Art.-Nr.: 1234` within one block, at its start or behind a mark that ends what was before. */
function* inside(block: TextBlock, page: PageText): Generator<FoundSku> {
  let tries = 0;
  for (const mark of block.text.matchAll(LABELLED)) {
    if (++tries > 30) return;
    const end = mark.index + 1;
    const label = findSkuLabel(block.text.slice(Math.max(0, end - LABEL_CHARS_MAX), end));
    if (!label || (/\s/.test(mark[0]) && !isStrongLabel(label.label, block.text, end))) continue;
    const value = valueOf(block.text.slice(end));
    if (value === undefined) continue;
    yield placed(value, label, /\S/.test(mark[0]), block, page);
    return;
  }
}

/** Without a mark behind it a label must open the block or stand in a short one. */
function isStrongLabel(label: string, text: string, end: number): boolean {
  return text.length <= 60 && (end <= label.length + 3 || /[:：#.]$/.test(label) || label.length >= 6);
}

/** A label in one cell and the number in the next. */
function* pair(block: TextBlock, next: TextBlock, page: PageText, identity: PageIdentity): Generator<FoundSku> {
  const text = block.text.trim();
  const label = findSkuLabel(text);
  const value = /^[^\s]+(?: [^\s]+)?$/.test(next.text) ? valueOf(next.text) : undefined;
  if (value === undefined) return;
  if (label && label.label.length >= text.replace(/[\s:：#]+$/, '').length * 0.55) yield placed(value, label, true, block, page);
  // Any label will do for a number that the address carries, too.
  else if (/[:：]$/.test(text) && !OTHER_LABEL.test(text) && value.length >= 4 && isInAddress(value, identity)) {
    yield placed(value, { label: text, kind: 'other' }, true, block, page);
  }
}

/** The token at the start of `text` if it looks like an article number: it holds a digit and is no date, price or measure. */
function valueOf(text: string): string | undefined {
  const token = VALUE.exec(text)?.[1]?.replace(/[.\-_/]+$/, '');
  if (token === undefined || token.length < 3 || !/\d/.test(token)) return undefined;
  if (/^(?:\d{1,2}[./-]){2}\d{2,4}$|^\d+[.,]\d{2}$|^\d+(?:mm|cm|kg|g|ml|l|w|v|gb)$/i.test(token)) return undefined;
  if (/^\s*(?:€|\$|£|%|zł|kr)/.test(text.slice(text.indexOf(token) + token.length))) return undefined;
  return token;
}

function placed(sku: string, { kind }: SkuLabel, isMarked: boolean, block: TextBlock, page: PageText): LabelledSku {
  const gap = block.index - (page.heading?.index ?? 0);
  return { sku, place: 'label', label: kind, isMarked, gap, isMain: block.area === 'main' };
}

/** A lone token near the heading whose digits stand in the address: `0210/088` on `...-p20210088.html`. */
function* unlabelled(page: PageText, identity: PageIdentity): Generator<FoundSku> {
  const at = page.heading?.index;
  if (at === undefined) return;
  const address = [identity.url, identity.canonical ?? ''].map((url) =>
    (URL.parse(url)?.pathname ?? '').replace(/[^\p{L}\p{N}]/gu, '').toLowerCase(),
  );
  for (const block of page.blocks.slice(Math.max(0, at - 8), at + 13)) {
    if (block.text.length > 60) continue;
    for (const match of block.text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]*\d[\p{L}\p{N}./-]{3,24}(?![\p{L}\p{N}])/gu)) {
      const plain = match[0].replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
      if (/\d{4}/.test(plain) && plain.length >= 5 && plain !== '' && address.some((text) => text.includes(plain))) {
        yield { sku: match[0].replace(/[./-]+$/, ''), place: 'token' };
      }
    }
  }
}
