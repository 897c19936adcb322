// Finds what a page's markup holds together: a list, a table, a figure, a quotation is read, kept and dropped as one.
import type { ChildNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { isBlockElement } from '../../html/text.ts';
import type { ContentBlock, Box, Outline } from './outline.ts';

/** A structural element with everything in it. */
export interface Unit {
  readonly box: Box;
  readonly blocks: readonly ContentBlock[];
}

/** The units of a page and the columns that they part into. */
export interface Units {
  /** In document order; none lies in another. */
  readonly all: readonly Unit[];
  /** By block, its place in `all`; -1 for a block in none. */
  readonly of: Int32Array;
  /** By block, what is judged with it: its unit, its column where the unit's rows are many blocks each, or it alone. */
  readonly columns: Int32Array;
  readonly columnCount: number;
}

const TAGS = new Set(['ul', 'ol', 'menu', 'dir', 'dl', 'table', 'pre', 'listing', 'figure', 'blockquote']);
const ROLES = new Set(['alert', 'note', 'tabpanel', 'list', 'table', 'grid', 'figure']);
/** Boxes of advice in docutils and Sphinx, Bootstrap, GitHub, Docusaurus and VitePress. */
const ADVICE = /(?:^|\s)(?:admonition|theme-admonition|alert|markdown-alert|custom-block)(?:\s|$)/;
const ROWED = new Set(['ul', 'ol', 'menu', 'dir']);
/** Rows of this many blocks and more are cards: each of their columns is judged over all rows. */
const CARD_BLOCKS_MIN = 3;
/** Rows and panels of this many are sections of a page, such as the posts of a thread, that a list happens to hold. */
const SECTION_BLOCKS_MIN = 8;

/** The outermost structural elements that do not lay out the page itself. */
export function unitsOf(outline: Outline): Units {
  const { blocks, boxCount } = outline;
  const layout = layoutOf(outline);
  const unitOfBox = new Int32Array(boxCount).fill(UNKNOWN);
  const found: { box: Box; blocks: ContentBlock[] }[] = [];
  const unitOf = (box: Box): number => {
    const known = unitOfBox[box.index] as number;
    if (known !== UNKNOWN) return known;
    let unit = box.parent ? unitOf(box.parent) : -1;
    if (unit < 0 && isStructural(box) && layout[box.index] === 0) unit = found.push({ box, blocks: [] }) - 1;
    unitOfBox[box.index] = unit;
    return unit;
  };
  const of = Int32Array.from(blocks, (block) => {
    const unit = unitOf(block.box);
    if (unit >= 0) found[unit]?.blocks.push(block);
    return unit;
  });
  return { all: found, of, ...columnsOf(blocks, found, of) };
}

const UNKNOWN = -2;

function isStructural(box: Box): boolean {
  const { name, attribs } = box.element;
  if (TAGS.has(name)) return !ROWED.has(name) || box.blocks < rowsOf(box) * SECTION_BLOCKS_MIN || isOutline(box.element);
  const { role, class: names } = attribs;
  const isNamed = (role !== undefined && ROLES.has(role)) || (names !== undefined && ADVICE.test(names));
  return isNamed && box.blocks < SECTION_BLOCKS_MIN;
}

/** Lists in lists, as deep as any reader follows. */
const OUTLINE_DEPTH_MAX = 32;

/** A list whose rows hold nothing but a line and further lists has many blocks in a row, but no sections. */
function isOutline({ children }: Element, depth = 0): boolean {
  if (depth > OUTLINE_DEPTH_MAX) return false;
  return children.filter(isTag).every((row) => row.name === 'li' && row.children.every((child) => isLineOrList(child, depth)));
}

function isLineOrList(node: ChildNode, depth: number): boolean {
  return !isTag(node) || (ROWED.has(node.name) ? isOutline(node, depth + 1) : !isBlockElement(node));
}

const HOLDS_SECTION = 1;
const HOLDS_TABLE = 2;

/** By box, 1 where it lays out the page: it says so, or it holds the page's heading, a menu or, being a table, another table. */
function layoutOf({ blocks, boxCount }: Outline): Uint8Array {
  const holds = new Uint8Array(boxCount);
  const layout = new Uint8Array(boxCount);
  for (const block of blocks) {
    let carried = 0;
    for (let box: Box | undefined = block.box; box; box = box.parent) {
      const before = holds[box.index] as number;
      if (before === (before | carried) && before !== 0) break;
      holds[box.index] = before | carried | SEEN;
      const { name, attribs } = box.element;
      if (isLayout(name, attribs['role'], carried)) layout[box.index] = 1;
      if (name === 'h1' || name === 'main' || name === 'nav') carried |= HOLDS_SECTION;
      if (name === 'table') carried |= HOLDS_TABLE;
    }
  }
  return layout;
}

const SEEN = 4;

function isLayout(name: string, role: string | undefined, holds: number): boolean {
  if (name === 'table') return holds !== 0 || role === 'presentation' || role === 'none';
  return (holds & HOLDS_SECTION) !== 0;
}

function columnsOf(blocks: readonly ContentBlock[], units: readonly Unit[], of: Int32Array): Pick<Units, 'columns' | 'columnCount'> {
  let count = 0;
  const ids = new Map<string, number>();
  const idOf = (key: string): number => {
    let id = ids.get(key);
    if (id === undefined) ids.set(key, (id = count++));
    return id;
  };
  const hasCards = units.map(isRowOfCards);
  const columns = Int32Array.from(blocks, (block) => {
    const unit = of[block.index] as number;
    if (unit < 0) return count++;
    return idOf(hasCards[unit] ? pathBelow(block.box, (units[unit] as Unit).box, unit) : String(unit));
  });
  return { columns, columnCount: count };
}

function isRowOfCards({ box, blocks }: Unit): boolean {
  if (!ROWED.has(box.element.name)) return false;
  return blocks.length >= rowsOf(box) * CARD_BLOCKS_MIN;
}

function rowsOf({ kinds }: Box): number {
  let rows = 0;
  for (const count of kinds?.values() ?? []) rows += count;
  return Math.max(1, rows);
}

/** The tags between a box and the unit that it lies in. */
function pathBelow(box: Box, top: Box, unit: number): string {
  let path = String(unit);
  for (let at: Box | undefined = box; at && at !== top; at = at.parent) path += `<${at.element.name}`;
  return path;
}

/** The mean of `values` over each column, weighed by words: what stands together is of one opinion. */
export function pooled({ columns, columnCount }: Units, blocks: readonly ContentBlock[], values: readonly number[]): number[] {
  const sums = new Float64Array(columnCount);
  const weights = new Float64Array(columnCount);
  blocks.forEach(({ words }, i) => {
    const column = columns[i] as number;
    const weight = words || WORDLESS;
    sums[column] = (sums[column] as number) + (values[i] as number) * weight;
    weights[column] = (weights[column] as number) + weight;
  });
  return values.map((_, i) => (sums[columns[i] as number] as number) / (weights[columns[i] as number] as number));
}

/** What a block without a word weighs. */
const WORDLESS = 0.1;
