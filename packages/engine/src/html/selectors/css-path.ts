// Writes a CSS selector that names one element by its place in the document.
import type { AnyNode, Element, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';

/**
 * A CSS selector that only `element` matches: `#id` of the nearest ancestor whose id no other element has, then `name:nth-of-type(n)`
 * steps down to it; from `html` where no ancestor has one. `isUniqueId` comes from readUniqueIds.
 */
export function cssPathOf(element: Element, isUniqueId: (id: string) => boolean): string {
  const steps: string[] = [];
  for (let at: AnyNode | null = element; at && isTag(at); at = at.parent) {
    const id: string | undefined = at.attribs['id'];
    if (id !== undefined && id !== '' && isUniqueId(id)) {
      steps.push(`#${escapeIdentifier(id)}`);
      break;
    }
    steps.push(stepOf(at));
  }
  return steps.reverse().join(' > ');
}

function stepOf(element: Element): string {
  const name = escapeIdentifier(element.name);
  const parent = element.parent;
  const place = parent ? placesIn(parent).get(element) : undefined;
  return place === undefined || place.among < 2 ? name : `${name}:nth-of-type(${place.position})`;
}

interface Place {
  readonly position: number;
  /** How many siblings have the same name, itself included. */
  readonly among: number;
}

/** Trees never change, so that the places of a parent's children are counted once; thousands of siblings ask for them. */
const places = new WeakMap<ParentNode, ReadonlyMap<Element, Place>>();

function placesIn(parent: ParentNode): ReadonlyMap<Element, Place> {
  const known = places.get(parent);
  if (known) return known;
  const elements = parent.children.filter(isTag);
  const totals = new Map<string, number>();
  const positions = elements.map((element) => {
    const position = (totals.get(element.name) ?? 0) + 1;
    totals.set(element.name, position);
    return { element, position };
  });
  const counted = new Map(positions.map(({ element, position }) => [element, { position, among: totals.get(element.name) ?? 1 }]));
  places.set(parent, counted);
  return counted;
}

/** Whether one element alone has an id, asked of one reading of the page. */
export function readUniqueIds(elements: Iterable<Element>): (id: string) => boolean {
  const counts = new Map<string, number>();
  for (const { attribs } of elements) if (attribs['id']) counts.set(attribs['id'], (counts.get(attribs['id']) ?? 0) + 1);
  return (id) => counts.get(id) === 1;
}

/** An identifier as CSS writes it (CSSOM, serialize an identifier). */
export function escapeIdentifier(name: string): string {
  return [...name].map((character, i) => escapeCharacter(character, i, name)).join('');
}

function escapeCharacter(character: string, index: number, name: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0) return '\uFFFD';
  const isDigit = code >= 0x30 && code <= 0x39;
  const startsNumber = isDigit && (index === 0 || (index === 1 && name.startsWith('-')));
  // Stricter than CSSOM: white space behind a backslash is lost where a selector is trimmed, and css-what knows no bare U+0080-U+00AF.
  if (code <= 0x1f || (code >= 0x7f && code < 0xb0) || startsNumber || /\s/.test(character)) return `\\${code.toString(16)} `;
  if (name === '-') return '\\-';
  return code >= 0x80 || isDigit || /[\w-]/.test(character) ? character : `\\${character}`;
}

/** A string as CSS writes it, with its quotes (CSSOM, serialize a string). */
export function quoteString(text: string): string {
  return `"${[...text].map((character) => escapeInString(character)).join('')}"`;
}

function escapeInString(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0) return '\uFFFD';
  if (code <= 0x1f || code === 0x7f) return `\\${code.toString(16)} `;
  return character === '"' || character === '\\' ? `\\${character}` : character;
}
