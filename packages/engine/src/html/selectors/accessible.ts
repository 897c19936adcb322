// Roles and accessible names, as assistive technology computes them (HTML-AAM 1.0 and accname 1.2, without style sheets).
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from '../tree.ts';
import { findOnce } from '../tree.ts';
import { textOf } from './text.ts';
import { collapse } from '../text.ts';
import { ancestorNamed, attribute, elementsBelow } from '../walk.ts';

/** What name computation looks up again and again on one page. */
export interface NameIndex {
  readonly byId: ReadonlyMap<string, Element>;
  /** Labels by the id of what they label. */
  readonly labels: ReadonlyMap<string, readonly Element[]>;
}

const NAME_CHARACTERS_MAX = 500;
/** Maps, because a page may hold an element that is named `constructor`. */
const ROLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    article: 'article',
    aside: 'complementary',
    blockquote: 'blockquote',
    button: 'button',
    caption: 'caption',
    dd: 'definition',
    details: 'group',
    dialog: 'dialog',
    dt: 'term',
    fieldset: 'group',
    figure: 'figure',
    form: 'form',
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    h5: 'heading',
    h6: 'heading',
    hr: 'separator',
    li: 'listitem',
    main: 'main',
    menu: 'list',
    meter: 'meter',
    nav: 'navigation',
    ol: 'list',
    optgroup: 'group',
    option: 'option',
    output: 'status',
    p: 'paragraph',
    progress: 'progressbar',
    search: 'search',
    section: 'region',
    summary: 'button',
    table: 'table',
    tbody: 'rowgroup',
    td: 'cell',
    textarea: 'textbox',
    tfoot: 'rowgroup',
    thead: 'rowgroup',
    time: 'time',
    tr: 'row',
    ul: 'list',
  }),
);
const INPUT_ROLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    button: 'button',
    checkbox: 'checkbox',
    image: 'button',
    number: 'spinbutton',
    radio: 'radio',
    range: 'slider',
    reset: 'button',
    search: 'searchbox',
    submit: 'button',
  }),
);
/** The child that names an element. */
const NAMING: ReadonlyMap<string, string> = new Map(Object.entries({ fieldset: 'legend', table: 'caption', figure: 'figcaption' }));
const INPUTS_WITHOUT_ROLE = new Set(['hidden', 'color', 'date', 'datetime-local', 'file', 'month', 'password', 'time', 'week']);
/** Roles that take their name from what is in them. */
const NAMED_BY_CONTENT = new Set(
  'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem'.split(
    ' ',
  ),
);
const LABELLED = new Set(['input', 'select', 'textarea', 'meter', 'progress', 'output', 'button']);

const NAME_INDEX = Symbol('name index');

/** The ids and labels of a page, read once for many names. */
export function readNameIndex(tree: PageTree): NameIndex {
  return findOnce(tree, NAME_INDEX, readIndex);
}

function readIndex(tree: PageTree): NameIndex {
  const byId = new Map<string, Element>();
  const labels = new Map<string, Element[]>();
  for (const element of elementsBelow(tree.root)) {
    const id = element.attribs['id'];
    if (id && !byId.has(id)) byId.set(id, element);
    const target = element.name === 'label' ? element.attribs['for'] : undefined;
    if (target) labels.set(target, [...(labels.get(target) ?? []).slice(0, 9), element]);
  }
  return { byId, labels };
}

/** The role that an element states or has by its name; undefined for those without one. */
export function roleOf(element: Element): string | undefined {
  const stated = attribute(element, 'role')?.toLowerCase().split(/\s+/)[0];
  return stated ?? implicitRole(element);
}

function implicitRole(element: Element): string | undefined {
  const { name, attribs } = element;
  if (name === 'a' || name === 'area') return attribs['href'] === undefined ? undefined : 'link';
  if (name === 'input') return inputRole(attribs['type']?.toLowerCase() ?? 'text', attribs['list'] !== undefined);
  if (name === 'img') return attribs['alt'] === '' ? 'presentation' : 'img';
  if (name === 'select') return 'multiple' in attribs || Number(attribs['size'] ?? 1) > 1 ? 'listbox' : 'combobox';
  if (name === 'th') return attribs['scope'] === 'row' ? 'rowheader' : 'columnheader';
  if (name === 'header' || name === 'footer') return isPageWide(element) ? (name === 'header' ? 'banner' : 'contentinfo') : undefined;
  return ROLES.get(name);
}

function inputRole(type: string, hasList: boolean): string | undefined {
  if (INPUTS_WITHOUT_ROLE.has(type)) return undefined;
  return INPUT_ROLES.get(type) ?? (hasList ? 'combobox' : 'textbox');
}

function isPageWide(element: Element): boolean {
  return ancestorNamed(element, ['article', 'aside', 'main', 'nav', 'section']) === undefined;
}

/** The level of a heading; undefined for other roles. */
export function headingLevel(element: Element): number | undefined {
  const stated = Number(element.attribs['aria-level'] ?? /^h([1-6])$/.exec(element.name)?.[1]);
  return Number.isInteger(stated) && stated > 0 ? stated : undefined;
}

/** The accessible name with white space collapsed; empty where there is none. */
export function nameOf(element: Element, index: NameIndex): string {
  for (const read of [labelledBy, ariaLabel, nativeName, contentName, titleName]) {
    const name = collapse(read(element, index)).slice(0, NAME_CHARACTERS_MAX);
    if (name !== '') return name;
  }
  return '';
}

function labelledBy(element: Element, { byId }: NameIndex): string {
  const ids = (element.attribs['aria-labelledby'] ?? '').split(/\s+/).slice(0, 20);
  return ids.map((id) => textWithPictures(byId.get(id))).join(' ');
}

function ariaLabel(element: Element): string {
  return element.attribs['aria-label'] ?? '';
}

function nativeName(element: Element, { labels }: NameIndex): string {
  const { name, attribs } = element;
  const type = attribs['type']?.toLowerCase() ?? '';
  if (name === 'input' && /^(?:button|submit|reset)$/.test(type)) return attribs['value'] ?? (type === 'button' ? '' : type);
  if (name === 'img' || name === 'area' || type === 'image') return attribs['alt'] ?? '';
  if (LABELLED.has(name)) return labelText(element, labels) || (attribs['placeholder'] ?? '');
  const naming = NAMING.get(name);
  return naming === undefined
    ? ''
    : textWithPictures(element.children.find((child): child is Element => isTag(child) && child.name === naming));
}

/** The text of the labels of a control: those that point to its id, and the one around it. */
function labelText(element: Element, labels: NameIndex['labels']): string {
  const pointing = labels.get(element.attribs['id'] ?? '') ?? [];
  const around = ancestorNamed(element, ['label']);
  return [...new Set(around ? [...pointing, around] : pointing)].map(textWithPictures).join(' ');
}

function contentName(element: Element): string {
  return NAMED_BY_CONTENT.has(roleOf(element) ?? '') ? textWithPictures(element) : '';
}

function titleName(element: Element): string {
  return element.attribs['title'] ?? '';
}

/** The text of an element, the `alt` and `aria-label` of what is in it included where it has no text. */
function textWithPictures(element: AnyNode | undefined): string {
  if (!element || !('children' in element)) return '';
  const text = textOf(element, NAME_CHARACTERS_MAX);
  if (text !== '') return text;
  const said: string[] = [];
  for (const { name, attribs } of elementsBelow(element)) said.push((name === 'img' ? attribs['alt'] : attribs['aria-label']) ?? '');
  return collapse(said.join(' '));
}
