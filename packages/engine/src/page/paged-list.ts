// The list of a page that is one of several: the same list on each of them, and where it goes on.
import type { Document } from './document.ts';
import { findMoreButton } from '../extract/paging/more-button.ts';
import { onwardOf } from './asked-rows.ts';
import { DomList } from '../records/detect.ts';
import { plainList } from '../records/list.ts';
import type { FieldSpec, ListSource, PlainList, RecordList } from '../records/list.ts';
import { applyWrapper, learnWrapper } from '../records/wrapper.ts';
import type { Wrapper } from '../records/wrapper.ts';

/** What is remembered of a list from one page to the next; plain data. */
export interface ListMemory {
  readonly source: ListSource;
  /** Of all pages so far, in the order in which they came. */
  readonly fields: readonly FieldSpec[];
  /** How it is found again; absent for a list that is not in the markup. */
  readonly wrapper?: Wrapper;
  /** How many rows the first answer to a script held, where the answers that follow are asked for by its request. */
  readonly answered?: number;
}

/** One page of a list. */
export interface ListPage {
  /** Absent where the page shows no list, or not the one that is remembered. */
  readonly list?: PlainList;
  readonly memory?: ListMemory;
  /** Absolute address of the page that follows; absent on the last one. */
  readonly onward?: string;
  /** Absent with `onward`: what a button says that shows more and leads to no address. */
  readonly button?: string;
}

/** What was answered, and where. */
export interface ListAnswer {
  readonly url: string;
  readonly json: unknown;
}

/** The best list of the page, or the one that `memory` of the pages before it is about. */
export function readListPage(document: Document, memory: ListMemory | undefined): ListPage {
  const { onward } = document.paging;
  const list = memory === undefined ? document.records[0] : findAgain(document, memory);
  const way = onward === undefined ? {} : { onward };
  if (!list || list.items.length === 0) return { ...way, ...(memory ? { memory } : {}) };
  if (memory === undefined) return firstPage(document, list);
  const fields = [...memory.fields, ...newFields(memory.fields, list.fields)];
  const wrapper = memory.wrapper && { ...memory.wrapper, fields };
  return { ...way, list: plainList(list), memory: { ...memory, fields, ...(wrapper ? { wrapper } : {}) } };
}

/** Where no link leads on, a script may: by its next request, in the list that it asked for, or by a button. */
function firstPage(document: Document, list: RecordList): ListPage {
  const { onward } = document.paging;
  if (onward === undefined) {
    const rows = list.items.length;
    for (const answer of [list, ...document.records.filter(({ items }) => items.length === rows)]) {
      const next =
        answer.asked === undefined ? undefined : onwardOf(answer.asked, { rows, full: rows, json: answerOf(document, answer.asked) });
      if (next !== undefined) return { list: plainList(answer), memory: { ...memoryOf(document, answer), answered: rows }, onward: next };
    }
  }
  const button = onward === undefined ? findMoreButton(document.tree) : undefined;
  return {
    list: plainList(list),
    memory: memoryOf(document, list),
    ...(onward === undefined ? {} : { onward }),
    ...(button === undefined ? {} : { button }),
  };
}

function answerOf({ source }: Document, asked: string): unknown {
  return source.xhr?.find(({ url }) => url === asked)?.json;
}

/** A list in an answer that is data: the first one that was named, or one asked for as a script would; `lists` are those that it holds. */
export function readAnsweredList(lists: readonly PlainList[], { url, json }: ListAnswer, memory: ListMemory | undefined): ListPage {
  const list = memory === undefined ? lists[0] : mostAlike(lists, memory);
  if (!list) return memory === undefined ? {} : { memory };
  const rows = list.items.length;
  const { fields: known, answered = rows } = memory ?? { fields: [] };
  const onward = onwardOf(url, { rows, full: answered, json });
  const fields = [...known, ...newFields(known, list.fields)];
  return { list, memory: { ...memory, source: list.source, fields, answered }, ...(onward === undefined ? {} : { onward }) };
}

function memoryOf({ tree }: Document, list: RecordList): ListMemory {
  const { source, fields } = list;
  return { source, fields, ...(list.nodes.length > 0 ? { wrapper: learnWrapper(tree, list) } : {}) };
}

/** By its wrapper; what has none by its source and the most names of fields in common. */
function findAgain(document: Document, { source, fields, wrapper }: ListMemory): RecordList | undefined {
  if (wrapper) {
    const found = applyWrapper(wrapper, document.tree);
    return found && withOwnFields(document, found, wrapper);
  }
  return mostAlike(
    document.records.filter((list) => list.source === source),
    { fields },
  );
}

function mostAlike<List extends Pick<RecordList, 'fields'>>(
  lists: readonly List[],
  { fields }: Pick<ListMemory, 'fields'>,
): List | undefined {
  const names = new Set(fields.map(({ name }) => name));
  const shared = (list: List) => list.fields.filter(({ name }) => names.has(name)).length;
  return lists.filter((list) => shared(list) > 0).toSorted((a, b) => shared(b) - shared(a))[0];
}

/** The list with the fields that only its own page shows besides: no sale on the first page hides those of the second. */
function withOwnFields({ tree }: Document, found: RecordList, { fields, lines }: Wrapper): RecordList {
  const { nodes, score } = found;
  const own = newFields(fields, new DomList(tree, nodes, score, { lines }).fields);
  return own.length === 0 ? found : new DomList(tree, nodes, score, { lines, fields: [...fields, ...own] });
}

/** What stands in another place and has another name than all that is known. */
function newFields(known: readonly FieldSpec[], fields: readonly FieldSpec[]): readonly FieldSpec[] {
  const paths = new Set(known.map(({ path }) => path));
  const names = new Set(known.map(({ name }) => name));
  return fields.filter(({ path, name }) => !paths.has(path) && !names.has(name));
}
