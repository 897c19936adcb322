// Reads what a page declares about itself: metadata and JSON-LD.
import type { Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { elementsNamed } from '../../../html/named-elements.ts';
import type { PageTree } from '../../../html/tree.ts';

/** What the head says. */
export interface Declared {
  readonly openGraphType: string;
  readonly generator: string;
  readonly title: string;
  readonly description: string;
  /** Every `@type` of JSON-LD, in lower case, blank-separated. */
  readonly types: string;
  /** `articleBody` of JSON-LD, '' where absent. */
  readonly articleBody: string;
}

/** The declarations of a page; what is absent is ''. */
export function declaredOf(tree: PageTree): Declared {
  const meta = new Map<string, string>();
  let title = '';
  for (const node of tree.head.children) {
    if (!isTag(node)) continue;
    if (node.name === 'title' && title === '') title = rawText(node).trim();
    const name = (node.attribs['property'] ?? node.attribs['name'] ?? '').toLowerCase();
    if (node.name === 'meta' && name !== '' && !meta.has(name)) meta.set(name, node.attribs['content'] ?? '');
  }
  const json = jsonLinkedData(tree);
  return {
    openGraphType: (meta.get('og:type') ?? '').toLowerCase(),
    generator: (meta.get('generator') ?? '').toLowerCase(),
    title: title.slice(0, LINE_MAX),
    description: (meta.get('description') ?? meta.get('og:description') ?? '').slice(0, LINE_MAX),
    types: [...json.matchAll(/"@type"\s*:\s*(\[[^\]]*\]|"[^"]*")/g)]
      .map((match) => match[1])
      .join(' ')
      .toLowerCase(),
    articleBody: articleBodyOf(json),
  };
}

/** Characters of a title or description, and of an article body, that blocks are compared with. */
const LINE_MAX = 1_000;
const BODY_MAX = 100_000;

/** The value of `articleBody`, found without parsing: broken JSON-LD is common and the rest of it is of no use here. */
function articleBodyOf(json: string): string {
  const match = /"articleBody"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*")/.exec(json);
  if (!match?.[1]) return '';
  try {
    return String(JSON.parse(match[1].replace(/[\n\r\t]/g, ' '))).slice(0, BODY_MAX);
  } catch {
    return '';
  }
}

/** Characters of JSON-LD that are looked at. */
const JSON_MAX = 1_000_000;

/** All JSON-LD of the page, joined, the last script first. */
function jsonLinkedData(tree: PageTree): string {
  let json = '';
  for (const script of elementsNamed(tree, 'script').toReversed()) {
    if (script.attribs['type']?.includes('ld+json')) json += `${rawText(script).slice(0, JSON_MAX)}\n`;
    if (json.length >= JSON_MAX) break;
  }
  return json;
}

function rawText(element: Element): string {
  return element.children.map((node) => (isText(node) ? node.data : '')).join('');
}
