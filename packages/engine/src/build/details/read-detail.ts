// What pages of one template say of one thing each: what differs between them is a field, what is equal on all of them is frame.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { FieldRule } from '@weft/contract';
import { cssPathOf, readUniqueIds } from '../../html/selectors/css-path.ts';
import { generateAlternates, labelOf } from '../../html/selectors/alternates.ts';
import { findNodes } from '../../html/selectors/resolve.ts';
import { labelWords } from '../../html/selectors/words.ts';
import { parseSelector } from '../../html/selectors/selector.ts';
import { shownElementsBelow } from '../../html/walk.ts';
import { Document } from '../../page/document.ts';
import type { DocumentSource } from '../../page/document.ts';
import type { FieldType } from '../../records/list.ts';
import { columnNamesOf } from '../../records/align/tables.ts';
import { identifier, meaningOf } from '../../records/name/naming.ts';
import { typeOfTexts } from '../../records/name/values.ts';
import { stableClasses } from '../../records/survey/classes.ts';
import { columnOf } from '../../records/survey/leaves.ts';
import { visibleText } from '../../records/survey/text.ts';
import { freeName, identifierOf } from '../draft.ts';
import { valueElements } from './value-elements.ts';
import type { ValueElement } from './value-elements.ts';

/** Pages of one template, three and more of them; the first is read, and held against the others. */
export interface DetailRequest {
  readonly sources: readonly DocumentSource[];
  /** The first of them, asked for once more: what differs then is said of the moment. */
  readonly again?: DocumentSource;
}

/** One field of the pages, and what each of them has there. */
export interface DetailField {
  readonly name: string;
  readonly type: FieldType;
  readonly rule: FieldRule;
  /** Share of the pages that have it, 0 to 1. */
  readonly filled: number;
  readonly samples: readonly string[];
}

/** What the pages say; no fields where they are no pages of one thing each. */
export interface DetailPages {
  readonly fields: readonly DetailField[];
  /** Titles, headings and labels: what the site calls this. */
  readonly words: readonly string[];
}

const FIELDS_MAX = 25;
/** A record of less says nothing that a link to it does not. */
const FIELDS_MIN = 2;
const SELECTORS_MAX = 3;
/** Without these, a page is none of the template. */
const REQUIRED_MAX = 2;
const SAMPLE_CHARS = 80;
const LABEL_CHARS_MAX = 40;
/** Marks alone, a dash or a bullet, are how pages write that there is nothing. */
const NOTHING = /^[\p{P}\s|]*$/u;
/** What is more than marks (RE2), for fields that some pages leave at that. */
const SOMETHING = '(?s)^.*[^\\pP\\s|].*$';
const NAMES = ['title', 'text'] as const;

/** Reads the pages. Throws PageError `page_too_complex`. */
export async function readDetail({ sources, again }: DetailRequest): Promise<DetailPages> {
  const pages = sources.map((source) => new Document(source, { includeHidden: true }));
  const [first] = pages;
  if (!first) return { fields: [], words: [] };
  // An id that only some of the pages have names a thing, and not its place.
  const idsOfPages = pages.map(({ tree }) => readUniqueIds(shownElementsBelow(tree.root)));
  const isUniqueId = (id: string) => idsOfPages.every((isUnique) => isUnique(id));
  const later = again && new Document(again, { includeHidden: true });
  const found = valueElements(first.tree).flatMap((each) => {
    const draft = fieldOf(each, pages, isUniqueId);
    const isMoment = draft && later && draft.selectors.some((selector) => valueAt(selector, draft.attr, later) !== draft.values[0]);
    return draft && !isMoment ? [{ ...each, ...draft }] : [];
  });
  const fields = named(withoutCopies(found), first);
  return {
    fields: fields.length < FIELDS_MIN ? [] : fields,
    words: [...pages.map(({ metadata }) => metadata.title ?? ''), ...fields.map(({ name }) => name)],
  };
}

interface FoundField extends ValueElement {
  readonly selectors: readonly string[];
  /** By page; undefined where it has none. */
  readonly values: readonly (string | undefined)[];
  readonly attr: string | undefined;
}

/** The selectors that find one value on each page that has it, where these differ; nothing for what is frame. */
function fieldOf({ element, isInProse }: ValueElement, pages: readonly Document[], isUniqueId: (id: string) => boolean) {
  const [first] = pages;
  if (!first) return undefined;
  const attr = element.name === 'time' && element.attribs['datetime'] ? 'datetime' : undefined;
  // By role and name it would be found by what it says, which is what differs.
  const stable = generateAlternates(first.tree, element).filter(
    (each) => !each.startsWith('role/') && !(each.startsWith('label/') && labelBefore(element, first) === ''),
  );
  // Where a sentence stands in a text is by chance.
  const isByChance = isInProse && element.name !== 'h1';
  const written = isByChance ? stable.filter((each) => /^label\/|itemprop/.test(each)) : [...stable, cssPathOf(element, isUniqueId)];
  const tried = written.map((selector) => ({ selector, values: pages.map((page) => valueAt(selector, attr, page)) }));
  const right = tried.filter(({ values }) => isField(values, isLabelled(element)));
  const [best] = right.toSorted((a, b) => filledIn(b.values) - filledIn(a.values) || rankOf(a.selector) - rankOf(b.selector));
  if (!best) return undefined;
  const same = right.filter(({ values }) => values.every((value, page) => value === best.values[page] || value === undefined));
  const selectors = [best.selector, ...same.map(({ selector }) => selector).filter((each) => each !== best.selector)];
  return { selectors: selectors.slice(0, SELECTORS_MAX), values: best.values, attr };
}

/** The words that name an element; a sentence or a paragraph before it is none, and a cell of a table with columns is named by its column. */
function labelBefore(element: Element, { tree }: Document): string {
  const before = previousElement(element);
  const isParagraph = before?.name === 'p' && !/[:：]\s*$/.test(visibleText([before]));
  const label = isParagraph || isInColumns(element) ? '' : labelOf(element, tree);
  return label.length > LABEL_CHARS_MAX || /[.!?]$/.test(label) ? '' : label;
}

/** A cell of a table with columns is named by its column, and not by the cell before it. */
function isInColumns({ name, parent }: Element): boolean {
  return name === 'td' && (parent?.children.filter(isTag).length ?? 0) > 2;
}

/** What the column is called that a cell of a table's only row, or a part of one, stands in. */
function columnNameOf(element: Element): string {
  let cell: Element['parent'] | Element = element;
  while (cell && isTag(cell) && cell.name !== 'td') cell = cell.parent;
  if (!cell || !isTag(cell) || !cell.parent || !isTag(cell.parent)) return '';
  return columnNamesOf(cell.parent)?.[columnOf(cell)] ?? '';
}

/** Labels are the last to change, then names that authors gave; a place in the tree is the first. */
function rankOf(selector: string): number {
  return selector.startsWith('label/') ? 0 : selector.includes(':nth-') ? 2 : 1;
}

/** What `selector` finds on a page, where that is one element with a text. */
function valueAt(selector: string, attr: string | undefined, { tree }: Document): string | undefined {
  const nodes = findNodes(parseSelector(selector), tree);
  const [node] = nodes;
  if (!node || nodes.length > 1) return undefined;
  const text = attr === undefined ? visibleText([node]) : ((node as Element).attribs[attr] ?? '');
  return NOTHING.test(text) ? undefined : text;
}

/** Said by all pages but one, and not the same by all; what a label names may be the same on a few pages. */
function isField(values: readonly (string | undefined)[], hasLabel: boolean): boolean {
  const said = values.filter((value) => value !== undefined);
  return said.length >= Math.max(2, values.length - 1) && (hasLabel || new Set(said).size > 1);
}

/** Behind a term, a header cell, or words that end in a colon. */
function isLabelled(element: Element): boolean {
  const { name, parent } = element;
  const before = previousElement(element);
  if (!before) return false;
  if (name === 'dd') return before.name === 'dt';
  if (name === 'td') return before.name === 'th' && (parent?.children.filter(isTag).length ?? 0) === 2;
  return /[:：]\s*$/.test(visibleText([before])) && labelWords(before) !== '';
}

function previousElement({ prev }: Element): Element | undefined {
  let before = prev;
  while (before && !isTag(before)) before = before.prev;
  return before ?? undefined;
}

function filledIn(values: readonly (string | undefined)[]): number {
  return values.filter((value) => value !== undefined).length;
}

/** What another field says on all pages in the same words says nothing more. */
function withoutCopies(fields: readonly FoundField[]): readonly FoundField[] {
  const weight = ({ selectors, element }: FoundField) => (element.name === 'h1' ? -1 : rankOf(selectors[0] ?? ''));
  const seen = new Set<string>();
  const kept = new Set(
    fields
      .toSorted((a, b) => weight(a) - weight(b))
      .filter(({ values }) => {
        const key = JSON.stringify(values);
        return !seen.has(key) && seen.add(key);
      }),
  );
  return fields.filter((field) => kept.has(field)).slice(0, FIELDS_MAX);
}

function named(found: readonly FoundField[], page: Document): readonly DetailField[] {
  const names = new Set<string>();
  const title = found.find(({ element }) => element.name === 'h1') ?? found.find(({ element }) => /^h[2-4]$/.test(element.name));
  const whole = found.filter(({ values }) => values.every((value) => value !== undefined));
  const required = new Set(
    [...(title && whole.includes(title) ? [title] : []), ...whole.filter((field) => field !== title)].slice(0, REQUIRED_MAX),
  );
  return found.map((field, place) => {
    const { element, values, selectors, attr, isProse } = field;
    const texts = values.filter((value) => value !== undefined);
    const type = attr === undefined ? plainType(texts) : 'date';
    const given = field === title ? NAMES[0] : (nameOf(element, type, page) ?? (isProse ? NAMES[1] : `field_${place + 1}`));
    const name = freeName(identifierOf(given), names);
    names.add(name);
    const rule: FieldRule = {
      selectors: [...selectors],
      ...(attr === undefined ? {} : { attr }),
      ...(type === 'text' ? {} : { type }),
      ...(type === 'text' && texts.length < values.length ? { regex: SOMETHING } : {}),
      ...(required.has(field) ? { required: true } : {}),
    };
    return {
      name,
      type,
      rule,
      filled: texts.length / values.length,
      samples: texts.slice(0, 3).map((text) => text.slice(0, SAMPLE_CHARS)),
    };
  });
}

/** Of few values no more is believed than what can't be taken for anything else. */
function plainType(texts: readonly string[]): FieldType {
  const type = typeOfTexts(texts);
  return type === 'price' ? type : 'text';
}

function nameOf(element: Element, type: FieldType, page: Document): string | undefined {
  const itemprop = element.attribs['itemprop'];
  const label = itemprop ?? (columnNameOf(element) || labelBefore(element, page));
  if (label !== '' && identifier(label) !== undefined) return identifier(label);
  const classes = [element, element.parent].flatMap((each) => (each && 'attribs' in each ? stableClasses(each.attribs['class']) : []));
  return meaningOf(classes, type);
}
