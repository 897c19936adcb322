// Reads RDFa Lite (https://www.w3.org/TR/rdfa-lite/): vocab, typeof, property, resource, prefix.
import type { Document, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { resolveUrl } from '../../html/address.ts';
import { collapse } from '../../html/text.ts';
import { textContentOf, tokensOf } from '../../html/walk.ts';
import type { MicrodataItem } from './microdata.ts';

/** Values beyond this count are left out. */
export const RDFA_VALUES_MAX = 20_000;

type Properties = Record<string, (string | MicrodataItem)[]>;
interface Scope {
  readonly vocab: string;
  readonly prefixes: Readonly<Record<string, string>>;
  /** Where properties go; undefined outside every item. */
  readonly properties: Properties | undefined;
}

/** Prefixes that need no declaration: https://www.w3.org/2011/rdfa-context/rdfa-1.1 */
const PREFIXES: Readonly<Record<string, string>> = {
  og: 'http://ogp.me/ns#',
  schema: 'http://schema.org/',
  dc: 'http://purl.org/dc/terms/',
  dcterms: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  gr: 'http://purl.org/goodrelations/v1#',
  v: 'http://rdf.data-vocabulary.org/#',
};

/** The items (elements with `typeof`) that are no property of another item; types and property names are full addresses. */
export function readRdfaLite(root: Document, baseUrl: string): readonly MicrodataItem[] {
  const items: MicrodataItem[] = [];
  let left = RDFA_VALUES_MAX;
  const visit = (element: Element, outer: Scope): void => {
    const scope = enter(element, outer);
    const names = tokensOf(element, 'property').map((name) => expand(name, scope));
    let inner = scope;
    if ('typeof' in element.attribs && left-- > 0) {
      const properties: Properties = Object.create(null);
      const item = itemOf(element, scope, baseUrl, properties);
      if (names.length > 0 && scope.properties) add(scope.properties, names, item);
      else items.push(item);
      inner = { ...scope, properties };
    } else if (names.length > 0 && scope.properties && left-- > 0) {
      add(scope.properties, names, valueOf(element, baseUrl));
    }
    for (const child of element.children) if (isTag(child)) visit(child, inner);
  };
  for (const child of root.children) if (isTag(child)) visit(child, { vocab: '', prefixes: PREFIXES, properties: undefined });
  return items;
}

function enter(element: Element, outer: Scope): Scope {
  const vocab = element.attribs['vocab'];
  const prefix = element.attribs['prefix'];
  if (vocab === undefined && prefix === undefined) return outer;
  const declared = [...(prefix ?? '').matchAll(/([\w-]+):\s+(\S+)/g)].map((match) => [match[1] as string, match[2] as string]);
  return { ...outer, vocab: vocab?.trim() ?? outer.vocab, prefixes: { ...outer.prefixes, ...Object.fromEntries(declared) } };
}

function expand(name: string, scope: Scope): string {
  const colon = name.indexOf(':');
  if (colon < 0) return scope.vocab + name;
  const prefix = name.slice(0, colon);
  const base = Object.hasOwn(scope.prefixes, prefix) ? scope.prefixes[prefix] : undefined;
  return base === undefined ? name : base + name.slice(colon + 1);
}

function itemOf(element: Element, scope: Scope, baseUrl: string, properties: Properties): MicrodataItem {
  const resource = element.attribs['resource'] ?? element.attribs['about'];
  const types = tokensOf(element, 'typeof').map((type) => expand(type, scope));
  return { types, ...(resource === undefined ? {} : { id: resolveUrl(resource, baseUrl) }), properties };
}

function add(properties: Properties, names: readonly string[], value: string | MicrodataItem): void {
  for (const name of names) (properties[name] ??= []).push(value);
}

function valueOf(element: Element, baseUrl: string): string {
  const { content, resource, href, src, datetime } = element.attribs;
  if (content !== undefined) return collapse(content);
  const address = resource ?? href ?? src;
  if (address !== undefined) return resolveUrl(address, baseUrl);
  return datetime ?? collapse(textContentOf(element));
}
