// Finds the article number that a page shows: behind a label, or as a token that also stands in the address.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from '../../html/tree.ts';
import { collapse, elementsIn, parentOf, scriptsOf, scriptTextOf } from '../structured/elements.ts';
import type { PageIdentity } from './main-product.ts';
import { isInAddress } from './main-product.ts';
import type { PageText, TextBlock } from './page-text.ts';

export interface ShownSku {
  readonly sku: string;
  readonly score: number;
  /** The label, or what stood for one. */
  readonly label: string;
  /** False for a number that only forms and scripts hold. */
  readonly isVisible: boolean;
}

/** Labels by how sure they name the shop's own number; the first that fits counts. */
const LABELS: readonly (readonly [number, string])[] = [
  [6, String.raw`sku(?: ?(?:no|nr|number|code|id|#)\.?)?`],
  [
    5.5,
    String.raw`(?:item|article|product|catalog(?:ue)?|stock|order|part) ?(?:no|nr|number|num|code|id|#)\.?|item ?#|(?:web|style|retailer|listing) ?(?:id|no|number|code|#)\.?|
      art(?:ikel)?[.\- ]*(?:nr|no|nummer|numer|num)\.?|(?:bestell|produkt|sach|waren)[- ]?(?:nr|nummer)\.?|best\.? ?-?nr\.?|art\.|article|(?:réf(?:érence)?|ref)\.?(?: ?(?:produit|article|du produit|produto))?|
      code (?:produit|article)|n° ?(?:d'article|article)|(?:codice|cod\.?)(?: ?(?:articolo|prodotto|art\.?))?|cód(?:igo|\.)?(?: ?(?:do produto|del? (?:producto|artículo)|produto|de referencia))?|
      referencia|referência(?: (?:do )?produto)?|artikelnummer|artikelnr\.?|varenr\.?|varenummer|tuotenumero|tuotekoodi|vörunúmer|tootekood|preces kods|prekės kodas|kodas|kods|
      (?:nr|numer|kod|indeks|symbol)\.?(?: ?(?:ref|referencyjny|katalogowy|produktu|artykułu|towaru|art))?\.?|(?:kód|kod|číslo|katalogové číslo|obj\. ?(?:kód|číslo))(?: ?(?:produktu|zboží|tovaru|výrobku))?|
      cikkszám|termékkód|cod(?:ul)? (?:produs|articol)|šifra(?: (?:artikla|izdelka|proizvoda))?|kataloška številka|шифра|
      артикул|арт\.?|код(?: ?(?:товара|товару|продукта|производителя|на продукта|артикула))?|номер (?:товара|артикула)|каталожен номер|κωδικός(?: προϊόντος)?|ürün (?:kodu|no)|stok kodu|barkod|
      מק"?ט|رمز المنتج|رقم (?:المنتج|الصنف|الموديل)|کد کالا|รหัสสินค้า|mã (?:sản phẩm|sp|hàng)|kode (?:produk|barang)|
      商品(?:番号|コード|編號|编号|代號|代号|管理番号)|品番|型番|貨號|货号|編號|编号|產品編號|产品编号|상품(?:번호|코드)|제품번호|품번`,
  ],
  [
    3.5,
    String.raw`(?<!promo |promotional |coupon |discount |voucher |gift |zip |post |postal |area |color |colour |qr |bar )code|model(?: ?(?:no|nr|number|code|name|#))?\.?|modell(?:nummer)?|modèle|modello|modelo|модель|모델명|型號|型号|item model number|style|reference`,
  ],
  [
    2.5,
    String.raw`mpn|manufacturer(?:'s)? (?:part )?(?:no|number|code|ref\w*)\.?|mfr\.?(?: ?(?:part|no|#))*\.?|hersteller(?:artikel)?-?(?:nr|nummer)\.?|part ?(?:no|number|#)\.?|código (?:del )?fabricante|codice produttore|kod producenta`,
  ],
];
const PATTERNS = LABELS.map(([score, words]) => ({
  score,
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])(${words.replace(/\n\s*/g, '')})\\s*(?:[:：#]|n[o°]\\.?|№|\\.)*\\s*$`, 'iu'),
}));
const VALUE = /^[\s:：#(.№-]*(\d{2,}(?: \d{2,}){1,4}(?=\s*$)|[\p{L}\p{N}][\p{L}\p{N}._/\-+]{1,38})/u;
const LABELLED = /[:：#№]|\s/gu;
/** Lengths of EAN, UPC and ISBN numbers with their own labels: an article number is none of them. */
const OTHER_LABEL = /ean|gtin|upc|isbn|barcode|phone|tel|fax|nip|vat|date|dimension|weight|height|width/i;
const LABEL_CHARS_MAX = 40;

/** Article numbers that the main content shows, best first. */
export function findShownSkus(
  tree: PageTree,
  page: PageText,
  identity: PageIdentity,
  scripts: readonly Element[] = scriptsOf(tree.root),
): readonly ShownSku[] {
  const found = [...labelled(page, identity), ...unlabelled(page, identity), ...inForms(tree, identity), ...inScripts(scripts, identity)];
  return found.toSorted((a, b) => b.score - a.score);
}

function* labelled(page: PageText, identity: PageIdentity): Generator<ShownSku> {
  for (const [i, block] of page.blocks.entries()) {
    if (block.text.length > 300) continue;
    const next = page.blocks[i + 1];
    yield* inside(block, page, identity);
    if (next && block.text.length <= LABEL_CHARS_MAX && next.text.length <= LABEL_CHARS_MAX) yield* pair(block, next, page, identity);
  }
}

/** `Art.-Nr.: 1234` within one block, at its start or behind a mark that ends what was before. */
function* inside(block: TextBlock, page: PageText, identity: PageIdentity): Generator<ShownSku> {
  let tries = 0;
  for (const mark of block.text.matchAll(LABELLED)) {
    if (++tries > 30) return;
    const end = mark.index + 1;
    const label = labelAt(block.text.slice(Math.max(0, end - LABEL_CHARS_MAX), end));
    if (!label || (/\s/.test(mark[0]) && !isStrongLabel(label.label, block.text, end))) continue;
    const value = valueOf(block.text.slice(end));
    if (value === undefined) continue;
    yield weigh(value, label, block, page, identity);
    return;
  }
}

/** Without a mark behind it a label must open the block or stand in a short one. */
function isStrongLabel(label: string, text: string, end: number): boolean {
  return text.length <= 60 && (end <= label.length + 3 || /[:：#.]$/.test(label) || label.length >= 6);
}

/** A label in one cell and the number in the next. */
function* pair(block: TextBlock, next: TextBlock, page: PageText, identity: PageIdentity): Generator<ShownSku> {
  const text = block.text.trim();
  const label = labelAt(text);
  const value = /^[^\s]+(?: [^\s]+)?$/.test(next.text) ? valueOf(next.text) : undefined;
  if (value === undefined) return;
  if (label && label.label.length >= text.replace(/[\s:：#]+$/, '').length * 0.55) yield weigh(value, label, block, page, identity);
  // Any label will do for a number that the address carries, too.
  else if (/[:：]$/.test(text) && !OTHER_LABEL.test(text) && value.length >= 4 && isInAddress(value, identity)) {
    yield weigh(value, { label: text, score: 3 }, block, page, identity);
  }
}

function labelAt(text: string): { readonly label: string; readonly score: number } | undefined {
  for (const { score, pattern } of PATTERNS) {
    const match = pattern.exec(text.trimEnd());
    if (match) return { label: match[1] as string, score };
  }
  return undefined;
}

/** The token at the start of `text` if it looks like an article number: it holds a digit and is no date, price or measure. */
function valueOf(text: string): string | undefined {
  const token = VALUE.exec(text)?.[1]?.replace(/[.\-_/]+$/, '');
  if (token === undefined || token.length < 3 || !/\d/.test(token)) return undefined;
  if (/^(?:\d{1,2}[./-]){2}\d{2,4}$|^\d+[.,]\d{2}$|^\d+(?:mm|cm|kg|g|ml|l|w|v|gb)$/i.test(token)) return undefined;
  if (/^\s*(?:€|\$|£|%|zł|kr)/.test(text.slice(text.indexOf(token) + token.length))) return undefined;
  return token;
}

function weigh(
  sku: string,
  label: { readonly label: string; readonly score: number },
  block: TextBlock,
  page: PageText,
  identity: PageIdentity,
): ShownSku {
  const gap = page.heading ? block.index - page.heading.index : 50;
  const near = gap >= -8 && gap <= 12 ? 1 : gap >= -20 && gap <= 80 ? 0.5 : 0;
  const inAddress = sku.length >= 4 && isInAddress(sku, identity) ? 2 : 0;
  return { sku, score: label.score + near + inAddress - (block.area === 'main' ? 0 : 4), label: label.label, isVisible: true };
}

/** A lone token near the heading whose digits stand in the address: `0210/088` on `...-p20210088.html`. */
function* unlabelled(page: PageText, identity: PageIdentity): Generator<ShownSku> {
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
        yield { sku: match[0].replace(/[./-]+$/, ''), score: 6.5, label: 'address', isVisible: true };
      }
    }
  }
}

/** Hidden fields of the buy form, and elements with `itemprop=sku` outside any item. */
function* inForms(tree: PageTree, identity: PageIdentity): Generator<ShownSku> {
  const tokens = numbersInAddress(identity);
  for (const element of elementsIn(tree.body)) {
    for (const [name, value] of Object.entries(element.attribs)) {
      if (tokens.has(value) && (name.startsWith('data-') || name === 'value'))
        yield { sku: value, score: 3.3, label: name, isVisible: false };
    }
    const { name = '', id = '', value = '', itemprop, content } = element.attribs;
    if (itemprop === 'sku' || itemprop === 'productID') {
      const sku = (content ?? collapse(textIn(element))).replace(/^sku:\s*/i, '');
      if (sku !== '' && sku.length <= 40) yield { sku, score: itemprop === 'sku' ? 6 : 4.5, label: itemprop, isVisible: true };
    } else if (
      element.name === 'input' &&
      element.attribs['type'] === 'hidden' &&
      /\d/.test(value) &&
      value.length >= 4 &&
      value.length <= 40
    ) {
      const isNamed =
        /(?:^|[_\-.[\]])(?:sku|item|product|article|asin|offer|pid)(?:[_\-.]?(?:id|no|code|number))?(?:$|[_\-.[\]\d])/i.test(name) ||
        /sku/i.test(id);
      if (inForm(element) && isInAddress(value, identity)) yield { sku: value, score: isNamed ? 5 : 4, label: name, isVisible: false };
    }
  }
}

/** The parts of the path and the values of the query that could be article numbers: no words, at least one digit. */
function numbersInAddress(identity: PageIdentity): ReadonlySet<string> {
  const { pathname = '', searchParams } = URL.parse(identity.canonical ?? identity.url) ?? {};
  const parts = [...pathname.split('/').map((part) => part.replace(/\.\w{2,5}$/, '')), ...(searchParams?.values() ?? [])];
  return new Set(parts.filter((part) => /^(?=[^\d]*\d)[A-Z0-9-]{5,20}$/.test(part)));
}

function textIn(element: Element): string {
  return element.children.map((child) => (child.type === 'text' ? child.data : isTag(child) ? textIn(child) : '')).join('');
}

function inForm(element: Element): boolean {
  for (let at = parentOf(element); at; at = parentOf(at)) if (at.name === 'form') return true;
  return false;
}

/** Names of members in scripts that hold the number of a product. */
const SCRIPT_MEMBER =
  /["']?\b(sku|product_?sku|product_?(?:id|no|number|code)|item_?(?:id|no|number)|article_?(?:id|no|number)|part_?number|id_?product|prod_?id|ecomm_prodid|retailer_item_id|variant_?id|content_ids?)["']?\s*[:=]\s*\[?\s*["']?([\p{L}\p{N}][\p{L}\p{N}._/-]{2,38})["']?\s*[,;}\]\n]/giu;
const SCRIPT_CHARS_MAX = 3_000_000;
const SCRIPT_MATCHES_MAX = 5_000;

/** Numbers that scripts hand to analytics and carts: those that the address carries, and a `sku` that is the only one. */
function* inScripts(scripts: readonly Element[], identity: PageIdentity): Generator<ShownSku> {
  const found = new Map<string, { readonly isSku: boolean; count: number }>();
  let left = SCRIPT_CHARS_MAX;
  let matches = 0;
  for (const script of scripts) {
    const text = scriptTextOf(script);
    if ((left -= text.length) < 0) break;
    for (const match of text.matchAll(SCRIPT_MEMBER)) {
      if (matches++ > SCRIPT_MATCHES_MAX) break;
      const value = match[2] as string;
      if (!/\d/.test(value) || /^(?:undefined|null|true|false)$/.test(value)) continue;
      const known = found.get(value) ?? { isSku: /sku/i.test(match[1] as string), count: 0 };
      found.set(value, { isSku: known.isSku || /sku/i.test(match[1] as string), count: known.count + 1 });
    }
  }
  const skus = [...found].filter(([, { isSku }]) => isSku);
  for (const [sku, { isSku, count }] of found) {
    if (sku.length >= 4 && isInAddress(sku, identity))
      yield { sku, score: isSku ? 5 : 4 + Math.min(count, 5) * 0.05, label: 'script', isVisible: false };
    else if (isSku && skus.length === 1) yield { sku, score: 3.8, label: 'script', isVisible: false };
    else if (found.size === 1) yield { sku, score: 3.2, label: 'script', isVisible: false };
  }
}
