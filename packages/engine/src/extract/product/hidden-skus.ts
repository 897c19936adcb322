// Finds article numbers that a page holds without showing them: in forms, attributes and scripts.
import type { Element } from 'domhandler';
import type { PageTree } from '../../html/tree.ts';
import { collapse } from '../../html/text.ts';
import { scriptsOf } from '../../html/named-elements.ts';
import { elementsWithTemplates, parentOf, scriptTextOf, textContentOf } from '../../html/walk.ts';
import type { FoundSku } from './found-sku.ts';
import type { PageIdentity } from './main-product.ts';
import { isInAddress } from './main-product.ts';
import { decodeLoosely } from '../../url/decode-loosely.ts';

const SKU_CHARS_MAX = 40;
const SCRIPT_CHARS_MAX = 3_000_000;
const SCRIPT_MATCHES_MAX = 5_000;

/** Names of fields that say what is being bought. */
const FIELD_NAME = /(?:^|[_\-.[\]])(?:sku|item|product|article|offer|pid)(?:[_\-.]?(?:id|no|code|number))?(?:$|[_\-.[\]\d])/i;
/** Members of script objects that hold the number of a product, with their values. */
const SCRIPT_MEMBER =
  /\b(sku|product_?sku|product_?(?:id|no|number|code)|item_?(?:id|no|number)|article_?(?:id|no|number)|part_?number|id_?product|prod_?id|ecomm_prodid|retailer_item_id|variant_?id|content_ids?)["']?\s{0,4}[:=]\s{0,4}\[?\s{0,4}["']?([\p{L}\p{N}][\p{L}\p{N}._/-]{2,38})["']?\s{0,4}[,;}\]\n]/giu;

/** Article numbers of forms, attributes and scripts, in no order. Nearly all of them must also stand in the page's address. */
export function findHiddenSkus(tree: PageTree, identity: PageIdentity): readonly FoundSku[] {
  const found: FoundSku[] = [];
  const inAddress = numbersInAddress(identity);
  for (const element of elementsWithTemplates(tree.body))
    found.push(...inAttributes(element, inAddress), ...inMarkup(element), ...inField(element, identity));
  return [...found, ...inScripts(scriptsOf(tree), identity), ...atEndOfAddress(identity)];
}

/** `/a-red-rake-1609583.html`: behind the words of a name a shop's address ends with its number. */
function* atEndOfAddress(identity: PageIdentity): Generator<FoundSku> {
  const { pathname = '' } = URL.parse(identity.canonical ?? identity.url) ?? {};
  const number = /\p{L}[^/]*[-_.](\d{4,12})(?:\.\w{2,5})?\/?$/u.exec(decodeLoosely(pathname))?.[1];
  if (number !== undefined) yield { sku: number, place: 'address_end' };
}

function* inAttributes(element: Element, inAddress: ReadonlySet<string>): Generator<FoundSku> {
  for (const [name, value] of Object.entries(element.attribs)) {
    if (inAddress.has(value) && (name.startsWith('data-') || name === 'value')) yield { sku: value, place: 'attribute' };
  }
}

/** Microdata outside every item. */
function* inMarkup(element: Element): Generator<FoundSku> {
  const { itemprop, content } = element.attribs;
  if (itemprop !== 'sku' && itemprop !== 'productID') return;
  const sku = (content ?? collapse(textContentOf(element))).replace(/^sku:\s*/i, '');
  if (sku !== '' && sku.length <= SKU_CHARS_MAX) yield { sku, place: itemprop === 'sku' ? 'sku_property' : 'id_property' };
}

/** Hidden fields of a form whose value stands in the address. */
function* inField(element: Element, identity: PageIdentity): Generator<FoundSku> {
  const { name = '', id = '', value = '', type } = element.attribs;
  if (element.name !== 'input' || type !== 'hidden' || !/\d/.test(value) || value.length < 4 || value.length > SKU_CHARS_MAX) return;
  if (!isInAddress(value, identity) || !isInForm(element)) return;
  yield { sku: value, place: FIELD_NAME.test(name) || /sku/i.test(id) ? 'named_field' : 'field' };
}

function isInForm(element: Element): boolean {
  for (let at = parentOf(element); at; at = parentOf(at)) if (at.name === 'form') return true;
  return false;
}

/** The parts of the path and the values of the query that could be article numbers: no words, at least one digit. */
function numbersInAddress(identity: PageIdentity): ReadonlySet<string> {
  const { pathname = '', searchParams } = URL.parse(identity.canonical ?? identity.url) ?? {};
  const parts = [...pathname.split('/').map((part) => part.replace(/\.\w{2,5}$/, '')), ...(searchParams?.values() ?? [])];
  return new Set(parts.filter((part) => /^(?=[^\d]*\d)[A-Z0-9-]{5,20}$/.test(part)));
}

interface ScriptValue {
  readonly isSku: boolean;
  readonly count: number;
}

/** Numbers that scripts hand to analytics and carts: those that the address carries, and one that is the only one. */
function* inScripts(scripts: readonly Element[], identity: PageIdentity): Generator<FoundSku> {
  const values = scriptValues(scripts);
  const skuCount = [...values.values()].filter(({ isSku }) => isSku).length;
  for (const [sku, { isSku, count }] of values) {
    const isOnly = values.size === 1 || (isSku && skuCount === 1);
    if (isOnly || (sku.length >= 4 && isInAddress(sku, identity))) yield { sku, place: 'script', isNamedSku: isSku, count, isOnly };
  }
}

function scriptValues(scripts: readonly Element[]): ReadonlyMap<string, ScriptValue> {
  const values = new Map<string, ScriptValue>();
  let charsLeft = SCRIPT_CHARS_MAX;
  let matches = 0;
  for (const script of scripts) {
    const text = scriptTextOf(script);
    charsLeft -= text.length;
    if (charsLeft < 0) break;
    for (const [, member = '', value = ''] of text.matchAll(SCRIPT_MEMBER)) {
      if (matches++ > SCRIPT_MATCHES_MAX) return values;
      if (!/\d/.test(value)) continue;
      const known = values.get(value);
      values.set(value, { isSku: known?.isSku === true || /sku/i.test(member), count: (known?.count ?? 0) + 1 });
    }
  }
  return values;
}
