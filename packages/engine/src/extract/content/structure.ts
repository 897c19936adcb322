// Keeps or drops as one what a page's markup holds together: inside the container a unit goes only by a rule that can be named.
import type { Element } from 'domhandler';
import { boxesOf, sharedBox } from './features/box-relations.ts';
import { isContentsTitle } from '../furniture.ts';
import { SECTIONING } from './choose.ts';
import { chromeRule } from './chrome.ts';
import { frameIn } from './frame.ts';
import { LANDMARK, isDeclared } from './landmarks.ts';
import type { ContentBlock, Box, Outline } from './outline.ts';
import { isHeading } from './outline.ts';
import { isCentral } from './overlays.ts';
import type { PageType, TypeScores } from './features/type-scores.ts';
import { likeliestType } from './features/type-scores.ts';
import type { Unit, Units } from './units.ts';

/** A unit that is not content, or columns of it. */
export interface LeftOut {
  readonly unit: Unit;
  /** Why: `outside the content`, `landmark nav`, `named related`, `headed Related stories`, `banner over a menu`. */
  readonly rule: string;
  /** How likely its blocks are content, from 0 to 1. */
  readonly probability: number;
}

/** A choice in which every unit is whole, and what was left out of it. */
export interface StructuredChoice {
  readonly chosen: readonly boolean[];
  readonly leftOut: readonly LeftOut[];
  /** Pictures whose captions belong to them and not to the running text. */
  readonly pictures: readonly Element[];
}

/** The blocks of a page with what is thought of them. */
export interface JudgedBlocks {
  readonly outline: Outline;
  readonly units: Units;
  readonly types: TypeScores;
  /** By block, how likely it is content. */
  readonly probabilities: readonly number[];
  /** The heading of the whole page. */
  readonly headline: ContentBlock | undefined;
}

/** How much the judges must doubt a unit inside of the container for it to go. */
export interface UnitRules {
  /**
   * Pages of these types put lists of links and labels round each of their texts, under no name that says so: what is less likely than
   * this is no content there. A table, a definition, a quotation, code or a panel is that nowhere but in threads.
   */
  readonly floors: Readonly<Partial<Record<PageType, number>>>;
  /** The same for all other units and pages. */
  readonly floorMin: number;
  /** How sure the type of a page must be for its floor. */
  readonly typeSure: number;
  /** Below this an aside, or a name that content has as well, is enough. */
  readonly vagueMax: number;
  /** Boxes of one kind hold the text of a page where so much of what is likely content stands in them, see `withKindred`. */
  readonly kindredMin: number;
  /** Pages of these types are content from their heading on, and a block in no unit stays there from this likelihood on. */
  readonly looseMin: Readonly<Partial<Record<PageType, number>>>;
  /** A page that is documentation this surely is held against the `looseMin` of documentation whatever it is likelier, unless that is an article. */
  readonly manualMin: number;
}

/** Completes a choice of blocks: units of the container that no rule speaks against, then the headings of what is kept. */
export function completeUnits(page: JudgedBlocks, chosen: readonly boolean[], rules: UnitRules): StructuredChoice {
  const { outline, units, probabilities, types, headline } = page;
  const kept = [...chosen];
  const looseMin = looseMinOf(types, rules);
  const container = containerOf(outline, chosen, looseMin === undefined ? undefined : headline);
  const heads = new Set(headline && looseMin !== undefined ? boxesOf(headline.box) : []);
  const headings = headingsBefore(outline.blocks);
  const begin = outline.blocks.find(({ index }) => chosen[index]);
  const leftOut: LeftOut[] = [];
  const pictures: Element[] = [];
  for (const unit of units.all) {
    const missing = unit.blocks.filter(({ index }) => !chosen[index]);
    const [first] = missing;
    if (!first) continue;
    const probability = probabilities[first.index] as number;
    const top = container && isWithin(unit.box, container) ? container : undefined;
    const rule =
      top || isDeclared(unit.box) || isCodeAtTop(unit, headline, begin)
        ? (chromeRule(unit.box, { top, heads }, headings[first.index], probability < rules.vagueMax) ??
          (probability < floorOf(unit, types, rules) ? 'unlikely on a page of its type' : undefined))
        : 'outside the content';
    if (rule !== undefined) {
      leftOut.push({ unit, rule, probability });
      continue;
    }
    for (const block of missing) kept[block.index] = !isControl(block);
    if (unit.box.element.name === 'figure') pictures.push(unit.box.element);
  }
  if (container && looseMin !== undefined) {
    const isLoose = ({ index, box }: ContentBlock) => !kept[index] && units.of[index] === -1 && isWithin(box, container);
    for (const block of outline.blocks) {
      const probability = probabilities[block.index] as number;
      if (probability < looseMin || !isLoose(block) || isControl(block)) continue;
      const isDoubted = probability < rules.vagueMax;
      kept[block.index] =
        isAtHeadline(block, headline) || chromeRule(block.box, { top: container, heads }, headings[block.index], isDoubted) === undefined;
    }
  }
  keepHeadings(outline.blocks, kept);
  dropTitlesOfContents(outline.blocks, kept);
  for (const { block, rule } of container ? frameIn(outline, kept, container, headline) : []) {
    kept[block.index] = false;
    const unit = units.all[units.of[block.index] as number];
    if (unit?.blocks[0] === block) leftOut.push({ unit, rule, probability: probabilities[block.index] as number });
  }
  return { chosen: kept, leftOut, pictures };
}

/** Pages of a manual that say little are taken for lists; what the judges take for an article is one. */
function looseMinOf(types: TypeScores, { looseMin, manualMin }: UnitRules): number | undefined {
  const type = likeliestType(types);
  return looseMin[type !== 'article' && types.documentation >= manualMin ? 'documentation' : type];
}

const LISTS = new Set(['ul', 'ol', 'menu', 'dir', 'div']);

function floorOf({ box }: Unit, types: TypeScores, { floors, floorMin, typeSure }: UnitRules): number {
  const type = likeliestType(types);
  const isSubject =
    types[type] > typeSure && (type === 'forum' || (LISTS.has(box.element.name) && box.element.attribs['role'] !== 'tabpanel'));
  return (isSubject ? floors[type] : undefined) ?? floorMin;
}

/** The smallest section round all that is chosen, and round `headline` where that stands before it: a paragraph alone is none. */
function containerOf({ blocks }: Outline, chosen: readonly boolean[], headline: ContentBlock | undefined): Box | undefined {
  const firstChosen = blocks.find(({ index }) => chosen[index]);
  const first = headline && firstChosen && headline.index < firstChosen.index && isCentral(headline) ? headline : firstChosen;
  const last = blocks.findLast(({ index }) => chosen[index]);
  let box = first && last && sharedBox(last.box, boxesOf(first.box));
  while (box?.parent && !SECTIONING.has(box.element.name)) box = box.parent;
  return box;
}

/** Between the heading of a page and its text stand names, dates and buttons, but code only where the page is about it. */
function isCodeAtTop({ box, blocks: [block] }: Unit, headline: ContentBlock | undefined, begin: ContentBlock | undefined): boolean {
  return box.element.name === 'pre' && !!block && !!headline && !!begin && headline.index < block.index && block.index < begin.index;
}

function isWithin(box: Box, outer: Box): boolean {
  let at: Box | undefined = box;
  while (at && at.depth > outer.depth) at = at.parent;
  return at === outer;
}

/** The headline, and headings beside it in one box: a manual says there what it is about, such as "Function". */
function isAtHeadline(block: ContentBlock, headline: ContentBlock | undefined): boolean {
  return block === headline || (headline !== undefined && isHeading(block) && block.box.parent === headline.box.parent);
}

/** Buttons and menus inside of a row are no part of it. */
function isControl({ box }: ContentBlock): boolean {
  return (box.landmarks & (LANDMARK.button | LANDMARK.nav)) !== 0;
}

/** By block, the heading that it stands under. */
function headingsBefore(blocks: readonly ContentBlock[]): readonly (ContentBlock | undefined)[] {
  let last: ContentBlock | undefined;
  return blocks.map((block) => {
    const before = last;
    if (isHeading(block)) last = block;
    return before;
  });
}

/** A heading stays with its section: with the first block that is kept before a heading of its rank, where that lies in what it opens. */
function keepHeadings(blocks: readonly ContentBlock[], kept: boolean[]): void {
  for (let i = blocks.length - 2; i >= 0; i--) {
    const heading = blocks[i] as ContentBlock;
    if (kept[i] || !isHeading(heading) || heading.box.element.name === 'h1') continue;
    let top = heading.box;
    while (top.parent && top.parent.blocks === top.blocks) top = top.parent;
    const first = firstKeptBelow(blocks, kept, i);
    if (first && top.parent && isWithin(first.box, top.parent)) kept[i] = true;
  }
}

/** The title of a table of contents goes with it. */
function dropTitlesOfContents(blocks: readonly ContentBlock[], kept: boolean[]): void {
  for (const block of blocks)
    if (kept[block.index] && !kept[block.index + 1] && isHeading(block) && isContentsTitle(block.text)) kept[block.index] = false;
}

function firstKeptBelow(blocks: readonly ContentBlock[], kept: readonly boolean[], heading: number): ContentBlock | undefined {
  const { name: rank } = (blocks[heading] as ContentBlock).box.element;
  for (let i = heading + 1; i < blocks.length; i++) {
    const block = blocks[i] as ContentBlock;
    if (isHeading(block) && block.box.element.name <= rank) return undefined;
    if (kept[i]) return block;
  }
  return undefined;
}
