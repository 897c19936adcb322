// Gathers once all the places in which a page states metadata: `<meta>`, `<link>`, JSON-LD.
import type { Element } from 'domhandler';
import { collapse } from '../../html/text.ts';
import { absoluteUrl } from '../../html/address.ts';
import { elementsNamed } from '../../html/named-elements.ts';
import { attribute, tokensOf } from '../../html/walk.ts';
import type { PageTree } from '../../html/tree.ts';
import { listOf } from '../structured/json-ld.ts';
import type { JsonLdNode } from '../structured/json-ld.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { findPageNode, withMainEntities } from './json-ld.ts';

/** All that is read from the tree once. */
export interface Sources {
  readonly tree: PageTree;
  /** Values of `<meta>` by lower-case name, property or itemprop, in document order. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  /** All `<link>` elements, in document order. */
  readonly links: readonly Element[];
  /** The JSON-LD object that describes the page. */
  readonly page: JsonLdNode | undefined;
  /** All JSON-LD objects. */
  readonly objects: readonly JsonLdNode[];
}

/** Longer values are cut. */
export const VALUE_CHARACTERS_MAX = 2_000;
const REPEATS_MAX = 100;

/** Reads the page once; nothing is interpreted yet. */
export function readSources(tree: PageTree, jsonLd: readonly JsonLdNode[]): Sources {
  const metas = new Map<string, string[]>();
  for (const element of elementsNamed(tree, 'meta')) {
    const value = collapse(element.attribs['content'] ?? '').slice(0, VALUE_CHARACTERS_MAX);
    if (value === '') continue;
    for (const key of ['property', 'name', 'itemprop', 'http-equiv']) {
      const name = attribute(element, key)?.toLowerCase();
      if (name !== undefined) metas.set(name, [...(metas.get(name) ?? []), value].slice(0, REPEATS_MAX));
    }
  }
  const objects = withMainEntities(jsonLd);
  return { tree, metas, links: elementsNamed(tree, 'link'), objects, page: findPageNode(objects) };
}

/** The first value of the first of these names that the page states. */
export function firstMeta({ metas }: Sources, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = metas.get(name)?.[0];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The first http(s) address that a `<link>` of this `rel` has. */
export function linkAddress({ links, tree }: Sources, rel: string): string | undefined {
  return links.filter((link) => relsOf(link).includes(rel)).flatMap((link) => absoluteUrl(attribute(link, 'href'), tree) ?? [])[0];
}

/** The `rel` tokens of a link in lower case. */
export function relsOf(link: Element): readonly string[] {
  return tokensOf(link, 'rel').map((token) => token.toLowerCase());
}

/** A JSON-LD value, or the first of a list, as one line of text; undefined unless it is a string with words. */
export function stringOf(value: JsonValue | undefined): string | undefined {
  const [first] = listOf(value);
  const text = typeof first === 'string' ? collapse(first).slice(0, VALUE_CHARACTERS_MAX) : '';
  return text === '' ? undefined : text;
}
