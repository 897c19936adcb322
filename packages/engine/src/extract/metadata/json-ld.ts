// Reads what JSON-LD says about the page itself; forgiving about the mistakes that pages make in it.
import type { Element } from 'domhandler';
import { elementsBelow } from '../../html/selectors/walk.ts';
import type { PageTree } from '../../html/tree.ts';

/** A JSON object as it was parsed: nothing is known of its members. */
export type JsonObject = Readonly<Record<string, unknown>>;

const SCRIPT_CHARACTERS_MAX = 2_000_000;
const OBJECTS_MAX = 500;
/** How much of the end of a block is searched for what closes it. */
const END_CHARACTERS = 60;
const PAGE_TYPE =
  /(?:article|posting|blogpost|newsarticle|report|webpage|faqpage|aboutpage|itempage|qapage|product|recipe|event|movie|book|videoobject|course|jobposting|softwareapplication|review)$/i;

/** Objects of all JSON-LD blocks in document order, `@graph` and arrays opened, at most 500. */
export function readJsonLd(tree: PageTree): readonly JsonObject[] {
  const objects: JsonObject[] = [];
  for (const element of elementsBelow(tree.root)) {
    if (element.name !== 'script' || !/ld\+json/i.test(element.attribs['type'] ?? '')) continue;
    collectObjects(parseTolerantly(scriptText(element)), objects);
  }
  return objects;
}

/** The object that describes the page: an article before a product or other thing, those before a bare web page. */
export function findPageObject(objects: readonly JsonObject[]): JsonObject | undefined {
  const described = objects.filter((object) => typesOf(object).some((type) => PAGE_TYPE.test(type)));
  return (
    described.find((object) => typesOf(object).some((type) => /article|posting|report$/i.test(type))) ??
    described.find(isThing) ??
    described[0]
  );
}

function isThing(object: JsonObject): boolean {
  return typesOf(object).every((type) => !/page$/i.test(type));
}

/** The names of its types, without their vocabulary. */
export function typesOf(object: JsonObject): readonly string[] {
  const types: readonly unknown[] = [object['@type']].flat();
  return types.filter((type): type is string => typeof type === 'string').map((type) => type.replace(/^.*[/#:]/, ''));
}

/** True for what `{}` writes. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function scriptText(element: Element): string {
  return element.children.map((node) => (node.type === 'text' ? node.data : '')).join('');
}

function collectObjects(value: unknown, objects: JsonObject[]): void {
  if (objects.length >= OBJECTS_MAX) return;
  if (Array.isArray(value)) for (const item of value) collectObjects(item, objects);
  if (!isJsonObject(value)) return;
  objects.push(value);
  collectObjects(value['@graph'], objects);
  collectObjects(value['mainEntity'], objects);
  collectObjects(value['mainEntityOfPage'], objects);
}

/** Undefined where the text is no JSON even after comments, raw line breaks and trailing commas are mended. */
function parseTolerantly(text: string): unknown {
  if (text.length > SCRIPT_CHARACTERS_MAX) return undefined;
  for (const attempt of [text, mend(text)]) {
    try {
      return JSON.parse(attempt);
    } catch {
      continue;
    }
  }
  return undefined;
}

function mend(text: string): string {
  const opened = text.trim().replace(/^(?:<!--|\/\*\s{0,9}<!\[CDATA\[\s{0,9}\*\/|\/\/\s{0,9}<!\[CDATA\[|<!\[CDATA\[)/, '');
  // Only the end is searched: patterns that look for the end of a text are slow on a long run of white space.
  const end = opened
    .slice(-END_CHARACTERS)
    .replace(/(?:-->|\/\*\s*\]\]>\s*\*\/|\/\/\s*\]\]>|\]\]>)\s*$/, '')
    .replace(/;\s*$/, '');
  return `${opened.slice(0, -END_CHARACTERS)}${end}`.replace(/\p{Cc}/gu, ' ').replace(/,(\s*[}\]])/g, '$1');
}
