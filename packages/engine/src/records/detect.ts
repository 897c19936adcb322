// Finds the lists of records on a page, best first.
import type { AnyNode, Element } from 'domhandler';
import type { PageTree } from '../html/tree.ts';
import { learnFields, readItems } from './align/fields.ts';
import type { FieldSpec, RecordItem, RecordList } from './list.ts';
import { lineNodes } from './survey/lines.ts';
import { type Candidate, LISTS_MAX, rankClusters } from './group/rank.ts';
import { selectorsOf } from './selectors.ts';
import { headersOf } from './align/tables.ts';
import { visibleText } from './survey/text.ts';

/** A list of which the page shows this share keeps its own score. */
const SHOWN_EXPECTED = 0.6;
const SHOWN_WEIGHT = 3;
const SHOWN_SAMPLE_MAX = 30;

/** What else is known of the page. */
export interface FindOptions {
  /** Lists from structured data of the same page, ranked among those of the markup by how much of them the page shows. */
  readonly extra?: readonly RecordList[];
}

/** The lists of records on the page, best first, at most ten; empty when nothing repeats. */
export function findRecordLists(tree: PageTree, options: FindOptions = {}): RecordList[] {
  const lists: RecordList[] = rankClusters(tree).candidates.map((candidate) => listOf(tree, candidate));
  const { extra = [] } = options;
  if (extra.length === 0) return lists;
  const shown = visibleText([tree.body]).toLowerCase();
  const weighed = extra.map((list) => rescored(list, list.score + SHOWN_WEIGHT * (shownShare(list, shown) - SHOWN_EXPECTED)));
  return [...lists, ...weighed].toSorted((a, b) => b.score - a.score).slice(0, LISTS_MAX);
}

/** The share of the items of which the page shows a text: a state also holds menus, translations and what other pages need. */
function shownShare(list: RecordList, shown: string): number {
  const sample = list.items.slice(0, SHOWN_SAMPLE_MAX);
  const found = sample.filter(({ fields }) => {
    const texts = Object.values(fields)
      .flat()
      .filter(({ raw }) => raw.length >= 4 && raw.length <= 120);
    return texts.some(({ type, raw }) => type === 'text' && shown.includes(raw.toLowerCase()));
  });
  return found.length / (sample.length || 1);
}

function rescored(list: RecordList, score: number): RecordList {
  const { source, nodes, asked } = list;
  return {
    source,
    nodes,
    asked,
    score,
    get selector() {
      return list.selector;
    },
    get items() {
      return list.items;
    },
    get fields() {
      return list.fields;
    },
  };
}

function listOf(tree: PageTree, candidate: Candidate): RecordList {
  const nodes = candidate.cluster.items.map((blocks) => blocks.map((block) => block.element));
  return new DomList(tree, nodes, candidate.score, { lines: candidate.cluster.kind === 'lines' });
}

/** How the items of a list are read. */
export interface DomListOptions {
  readonly lines: boolean;
  /** Learnt from the items when they are not given. */
  readonly fields?: readonly FieldSpec[];
}

/** A list in the markup; what is costly to know is found out when it is first asked for. */
export class DomList implements RecordList {
  readonly nodes: readonly (readonly Element[])[];
  readonly score: number;
  readonly source: 'dom' | 'table';
  /** True when items go on in bare text behind their element. */
  readonly lines: boolean;
  private readonly tree: PageTree;
  private readonly headers: readonly string[] | undefined;
  private known: { fields?: readonly FieldSpec[]; items?: readonly RecordItem[]; selector?: readonly string[] } = {};

  constructor(tree: PageTree, nodes: readonly (readonly Element[])[], score: number, options: DomListOptions) {
    this.tree = tree;
    this.nodes = nodes;
    this.score = score;
    this.headers = headersOf(nodes);
    this.source = this.headers ? 'table' : 'dom';
    this.lines = options.lines;
    if (options.fields) this.known.fields = options.fields;
  }

  get fields(): readonly FieldSpec[] {
    return (this.known.fields ??= learnFields(this.parts(), this.headers));
  }

  get items(): readonly RecordItem[] {
    return (this.known.items ??= readItems(this.parts(), this.fields, this.tree.baseUrl));
  }

  /** This list with the fields that are learnt from the items of both. */
  learntWith(other: DomList): DomList {
    const fields = learnFields(this.parts(), this.headers, other.parts());
    return new DomList(this.tree, this.nodes, this.score, { lines: this.lines, fields });
  }

  private parts(): readonly (readonly AnyNode[])[] {
    return this.lines ? lineNodes(this.nodes.flat()) : this.nodes;
  }

  get selector(): string | undefined {
    if (this.nodes.some((elements) => elements.length > 1)) return undefined;
    this.known.selector ??= selectorsOf(this.tree, this.nodes.flat()).map(({ css }) => css);
    return this.known.selector[0];
  }
}
