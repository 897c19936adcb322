// Reads microdata items: https://html.spec.whatwg.org/multipage/microdata.html
import type { Document, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { resolveUrl } from '../../html/address.ts';
import { collapse } from '../../html/text.ts';
import { elementsWithTemplates, textContentOf, tokensOf } from '../../html/walk.ts';

/** An item: of microdata or, in the same shape, of RDFa Lite. */
export interface MicrodataItem {
  readonly types: readonly string[];
  /** The global identifier (`itemid`, `resource`) as an absolute address. */
  readonly id?: string;
  /** Values of each property in document order: text with white space collapsed, an absolute address, or an item. */
  readonly properties: Readonly<Record<string, readonly (string | MicrodataItem)[]>>;
}

/** Items and values beyond this count are left out. */
export const MICRODATA_VALUES_MAX = 20_000;

/** Attribute that carries the value, by element name; addresses are resolved. */
const URL_ATTRIBUTE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'href',
    area: 'href',
    link: 'href',
    audio: 'src',
    embed: 'src',
    iframe: 'src',
    img: 'src',
    source: 'src',
    track: 'src',
    video: 'src',
    object: 'data',
  }),
);

interface Reading {
  readonly baseUrl: string;
  readonly byId: ReadonlyMap<string, Element>;
  left: number;
}

/** The items that are no property of another item, in document order. */
export function readMicrodata(root: Document, baseUrl: string): readonly MicrodataItem[] {
  const scopes: Element[] = [];
  const byId = new Map<string, Element>();
  for (const element of elementsWithTemplates(root)) {
    const id = element.attribs['id'];
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    if ('itemscope' in element.attribs && !('itemprop' in element.attribs)) scopes.push(element);
  }
  const reading: Reading = { baseUrl, byId, left: MICRODATA_VALUES_MAX };
  return scopes.map((scope) => readItem(scope, reading, new Set()));
}

function readItem(scope: Element, reading: Reading, open: ReadonlySet<Element>): MicrodataItem {
  const within = new Set(open).add(scope);
  const properties: Record<string, (string | MicrodataItem)[]> = Object.create(null);
  for (const element of propertyElements(scope, reading)) {
    if (reading.left-- <= 0) break;
    if (within.has(element)) continue;
    const value = 'itemscope' in element.attribs ? readItem(element, reading, within) : valueOf(element, reading.baseUrl);
    for (const name of tokensOf(element, 'itemprop')) (properties[name] ??= []).push(value);
  }
  const id = scope.attribs['itemid'];
  return { types: tokensOf(scope, 'itemtype'), ...(id === undefined ? {} : { id: resolveUrl(id, reading.baseUrl) }), properties };
}

/** Elements with `itemprop` that belong to `scope`: below it but in no inner item, then those that `itemref` names. */
function* propertyElements(scope: Element, reading: Reading): Generator<Element> {
  yield* ownProperties(scope.children.filter(isTag));
  for (const id of tokensOf(scope, 'itemref')) {
    const referred = reading.byId.get(id);
    if (referred && referred !== scope) yield* ownProperties([referred]);
  }
}

function* ownProperties(roots: readonly Element[]): Generator<Element> {
  const pending = [...roots].reverse();
  for (let element = pending.pop(); element; element = pending.pop()) {
    if ('itemprop' in element.attribs) yield element;
    if ('itemscope' in element.attribs) continue;
    pending.push(...element.children.filter(isTag).reverse());
  }
}

/** The value of a property's element. `content` counts on every element, as search engines read it. */
function valueOf(element: Element, baseUrl: string): string {
  const content = element.attribs['content'];
  if (content !== undefined) return collapse(content);
  const attribute = URL_ATTRIBUTE.get(element.name);
  if (attribute !== undefined && element.attribs[attribute] !== undefined) return resolveUrl(element.attribs[attribute], baseUrl);
  if (element.name === 'data' || element.name === 'meter') return element.attribs['value'] ?? collapse(textContentOf(element));
  if (element.name === 'time') return element.attribs['datetime'] ?? collapse(textContentOf(element));
  return collapse(textContentOf(element));
}
