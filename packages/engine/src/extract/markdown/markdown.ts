// Turns a part of a page into Markdown: CommonMark 0.31 with GFM's tables, task lists and strikethrough.
import type { AnyNode } from 'domhandler';
import { block, blockquote, heading, paragraph, pre, rule, summary, table } from './handlers/blocks.ts';
import { box, span } from './handlers/boxes.ts';
import { abbreviation, button, code, format, frame, image, input, link, quote } from './handlers/inlines.ts';
import { definition, list, strayItem, term } from './handlers/lists.ts';
import { math, mathJax, script, writeText } from './handlers/math.ts';
import { PageWriter, skip } from './page-writer.ts';
import type { Handler, MarkdownOptions } from './page-writer.ts';

export type { MarkdownOptions } from './page-writer.ts';

/**
 * The Markdown of `nodes` in order, ended by a line break; '' when they show nothing. Addresses are absolute; what the page hides
 * and what is not text (scripts, form fields, drawings) is left out. Reads the tree only; the tree must be depth-capped.
 */
export function toMarkdown(nodes: readonly AnyNode[], options: MarkdownOptions): string {
  const page = new PageWriter(nodes, options, HANDLERS, writeText);
  nodes.forEach(page.visit);
  return page.writer.finish();
}

const SKIPPED =
  'style template head title meta link base svg canvas object embed applet audio video source track param map area ' +
  'select datalist option textarea progress meter noembed noframes colgroup col annotation annotation-xml';
const BLOCK_NAMES =
  'address article body center details dialog dir dl fieldset figcaption figure footer form header hgroup html legend main nav ' +
  'search caption tbody td tfoot th thead tr optgroup frameset';

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...SKIPPED.split(' ').map((name): [string, Handler] => [name, skip]),
  ...BLOCK_NAMES.split(' ').map((name): [string, Handler] => [name, block]),
  ...['div', 'section', 'aside'].map((name): [string, Handler] => [name, box]),
  ['p', paragraph],
  ['span', span],
  ['script', script],
  ['abbr', abbreviation],
  ['mjx-container', mathJax],
  ...[1, 2, 3, 4, 5, 6].map((level): [string, Handler] => [`h${level}`, heading(level)]),
  ...['b', 'strong'].map((name): [string, Handler] => [name, format('strong')]),
  ...['i', 'em'].map((name): [string, Handler] => [name, format('em')]),
  ...['s', 'del', 'strike'].map((name): [string, Handler] => [name, format('strike')]),
  ['sup', format('sup')],
  ['sub', format('sub')],
  ...['code', 'kbd', 'samp', 'tt'].map((name): [string, Handler] => [name, code]),
  ...['pre', 'xmp', 'listing', 'plaintext'].map((name): [string, Handler] => [name, pre]),
  ...['ul', 'ol', 'menu'].map((name): [string, Handler] => [name, list]),
  ['li', strayItem],
  ['a', link],
  ['img', image],
  ['br', (page) => page.writer.lineBreak()],
  ['hr', rule],
  ['blockquote', blockquote],
  ['table', table],
  ['input', input],
  ['dt', term],
  ['dd', definition],
  ['summary', summary],
  ['button', button],
  ['q', quote],
  ['iframe', frame],
  ['math', math],
]);
