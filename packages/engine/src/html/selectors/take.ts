// What is read of the elements that CSS points at, as people write it behind a selector: `a@href`, `a::attr(href)`, `h1::text`.
import type { AnyNode, Element } from 'domhandler';
import { absoluteUrl } from '../address.ts';
import type { PageTree } from '../tree.ts';
import { selectorError } from './caps.ts';

/** An attribute of each element that has it, or each text that stands in it directly. */
export type Take = { readonly attribute: string } | 'text';

/** No CSS of the tree ends so: pseudo-elements have no node, and `@` begins nothing in a selector. */
const ATTRIBUTE = /(?:::attr\(\s*([\w:.-]+)\s*\)|@([\w:.-]+))\s*$/;
const TEXT = /::text\s*$/;
/** The attributes of HTML that hold one address (HTML, index of attributes). */
const ADDRESSES = new Set(['action', 'cite', 'data', 'formaction', 'href', 'manifest', 'poster', 'src', 'xlink:href']);

/** A selector of CSS (`css/...`) without what is to be read; any other as it is. Throws PageError `selector` where nothing is left. */
export function splitTake(selector: string): { readonly selector: string; readonly take?: Take } {
  if (!selector.startsWith('css/')) return { selector };
  const attribute = ATTRIBUTE.exec(selector);
  const name = attribute?.[1] ?? attribute?.[2];
  const found = attribute ?? TEXT.exec(selector);
  if (!found) return { selector };
  const rest = selector.slice(0, found.index);
  if (/^css\/\s*$/.test(rest)) throw selectorError(selector, 'names no element before what is to be read of it.');
  return { selector: rest, take: name === undefined ? 'text' : { attribute: name.toLowerCase() } };
}

/** One thing that was read: a text, or the value of an attribute of `owner`. */
export type Taken = { readonly node: AnyNode } | { readonly value: string; readonly owner: Element };

/** What `take` says of the elements, in their order; blank texts are left out. */
export function takeFrom(elements: readonly Element[], take: Take, tree: PageTree): readonly Taken[] {
  if (take === 'text')
    return elements.flatMap(({ children }) =>
      children.filter((node) => node.type === 'text' && node.data.trim() !== '').map((node) => ({ node })),
    );
  const { attribute } = take;
  return elements.flatMap((owner) => {
    const value = owner.attribs[attribute];
    return value === undefined ? [] : [{ value: attributeValue(attribute, value, tree), owner }];
  });
}

/** The value of an attribute; one that holds an address is resolved against the page where it is one of the web. */
export function attributeValue(name: string, value: string, tree: PageTree): string {
  return ADDRESSES.has(name) ? (absoluteUrl(value.trim(), tree) ?? value) : value;
}
