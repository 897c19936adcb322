// Remembers a list so that the next page of the same template gives the same list: several selectors, and the template they must agree with.
import type { Element } from 'domhandler';
import type { PageTree } from '../html/tree.ts';
import { stepOf } from './survey/classes.ts';
import { DomList } from './detect.ts';
import type { FieldSpec, RecordList } from './list.ts';
import { rankClusters } from './group/rank.ts';
import { type ItemSelector, findItems, selectorsOf } from './selectors.ts';
import type { Block, Survey } from './survey/survey.ts';
import { withoutWayUp } from './group/way-up.ts';
import { type Template, resemblance, templateOf } from './align/template.ts';

/** Plain data: what goes through JSON and comes back works the same. */
export interface Wrapper {
  readonly version: 1;
  /** Two or three ways to the first element of each item, the most exact first. */
  readonly selectors: readonly ItemSelector[];
  readonly template: Template;
  /** Flat runs: the tags and classes that belong to an item behind its first element; else empty. */
  readonly run: readonly string[];
  /** True when items go on in bare text behind their element. */
  readonly lines: boolean;
  readonly fields: readonly FieldSpec[];
}

/** An element this much like the template is an item where a selector points at it. */
const POINTED_MIN = 0.3;
/** Without a selector, the items must be this much like the template. */
const ALIKE_MIN = 0.45;
const NUMBER_WEIGHT = 0.05;
/** What it counts to be pointed at, or to be the best list of the page. */
const POINTED_BONUS = 0.1;
const RANK_BONUS = 0.1;

/** What must be kept of `list`, found on `tree`, to find it again. */
export function learnWrapper(tree: PageTree, list: RecordList): Wrapper {
  const blocks = blocksByElement(rankClusters(tree).survey);
  const heads = list.nodes.map(([head]) => head).filter((head): head is Element => head !== undefined);
  const run = new Set(list.nodes.flatMap((elements) => elements.slice(1).map(stepOf)));
  return {
    version: 1,
    selectors: selectorsOf(tree, heads),
    template: templateOf(heads.map((head) => blocks.get(head)).filter((block) => block !== undefined)),
    run: [...run],
    lines: list instanceof DomList && list.lines,
    fields: list.fields,
  };
}

/** `list` of `tree` with the fields that its items and those of `other`, a page of the same template, have: what all items of one page say may differ from page to page. */
export function learnBeside(tree: PageTree, list: RecordList, other: PageTree): RecordList {
  const more = list instanceof DomList ? applyWrapper(learnWrapper(tree, list), other) : undefined;
  return list instanceof DomList && more instanceof DomList ? list.learntWith(more) : list;
}

/** The list that `wrapper` remembers, on another page of the same template; undefined when nothing on the page resembles it. */
export function applyWrapper(wrapper: Wrapper, tree: PageTree): RecordList | undefined {
  const { survey, candidates } = rankClusters(tree);
  const blocks = blocksByElement(survey);
  const pointed = wrapper.selectors.map(({ css }) => entriesOf(findItems(tree, css), blocks, tree.url));
  const options = [
    ...pointed.map((found) => optionOf(found, wrapper, POINTED_MIN, POINTED_BONUS)),
    ...candidates.map(({ cluster }, rank) =>
      optionOf(
        cluster.items.map(([head]) => head),
        wrapper,
        ALIKE_MIN,
        RANK_BONUS / (1 + rank),
      ),
    ),
  ];
  const best = options.filter((option) => option.heads.length > 0).toSorted((a, b) => b.value - a.value)[0];
  if (!best) return undefined;
  const nodes = wrapper.run.length === 0 ? best.heads.map((head) => [head.element]) : runsOf(best.heads, new Set(wrapper.run));
  return new DomList(tree, nodes, best.value, { lines: wrapper.lines, fields: wrapper.fields });
}

function entriesOf(elements: readonly Element[], blocks: ReadonlyMap<Element, Block>, pageUrl: string): Block[] {
  const found = elements.map((element) => blocks.get(element)).filter((block) => block !== undefined);
  return withoutWayUp(
    found.map((block) => [block]),
    pageUrl,
  ).flat();
}

interface Option {
  readonly heads: readonly Block[];
  readonly value: number;
}

/** The blocks that follow the template, and how good a list they are: mean resemblance, a little for their number. */
function optionOf(found: readonly (Block | undefined)[], wrapper: Wrapper, resemblanceMin: number, bonus: number): Option {
  const heads: Block[] = [];
  let total = 0;
  for (const block of found) {
    if (!block || block.textChars + block.images === 0 || block.start <= (heads.at(-1)?.end ?? -1)) continue;
    const value = resemblance(block, wrapper.template);
    if (value < resemblanceMin) continue;
    heads.push(block);
    total += value;
  }
  return { heads, value: heads.length === 0 ? 0 : total / heads.length + NUMBER_WEIGHT * Math.log2(1 + heads.length) + bonus };
}

/** The elements of each flat run: a head, and up to the next one the elements of a kind that was learnt. */
function runsOf(heads: readonly Block[], kinds: ReadonlySet<string>): Element[][] {
  const runs = new Map(heads.map((head) => [head, [head.element]]));
  for (const parent of new Set(heads.map((head) => head.parent))) {
    let run: Element[] | undefined;
    for (const child of parent?.children ?? []) {
      const opened = runs.get(child);
      if (opened) run = opened;
      else if (kinds.has(stepOf(child.element))) run?.push(child.element);
    }
  }
  return [...runs.values()];
}

function blocksByElement(survey: Survey): Map<Element, Block> {
  return new Map(survey.blocks.map((block) => [block.element, block]));
}
