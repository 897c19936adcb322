// Finds the forms of a page: what each is for, where it is sent, and what it asks.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { cssPathOf, readUniqueIds } from '../../html/selectors/css-path.ts';
import { textOf } from '../../html/selectors/text.ts';
import { collapse } from '../../html/text.ts';
import { ancestorNamed, attribute, elementsBelow, shownElementsBelow } from '../../html/walk.ts';
import type { PageTree } from '../../html/tree.ts';
import { classifyForm } from './classify.ts';
import type { FormFacts } from './classify.ts';
import { isControl, readField, settleMeanings } from './fields.ts';
import type { FormField } from './fields.ts';
import type { FormType } from './vocabulary.ts';

/** One `<form>`: what it is for and how to fill it in. */
export interface Form {
  readonly type: FormType;
  /** CSS that only this form matches. */
  readonly selector: string;
  /** Absolute http(s) address; the page's own where the form names none or a script. */
  readonly action: string;
  readonly method: 'get' | 'post' | 'dialog';
  /** Its controls in document order, hidden fields and buttons included. */
  readonly fields: readonly FormField[];
}

const TEXT_CHARACTERS_MAX = 600;
const HEADING_CHARACTERS_MAX = 80;
/** An element with more in it is about more than its form. */
const AROUND_ELEMENTS_MAX = 300;

/** One entry for each `<form>` that is shown, in document order, forms without controls included; fields that the page hides are left out. */
export function findForms(tree: PageTree): readonly Form[] {
  const elements = [...shownElementsBelow(tree.root)];
  const owned = assignControls(elements);
  const labels = readLabels(elements);
  const isUniqueId = readUniqueIds(elements);
  const page = pageWords(tree);
  return elements
    .filter((element) => element.name === 'form')
    .map((element) => {
      const controls = owned.get(element) ?? [];
      const fields = controls.map((control) => readField(control, labels));
      const action = actionOf(element, tree);
      const type = classifyForm({ ...factsOf(element, controls, fields, action), page });
      return { type, selector: cssPathOf(element, isUniqueId), action, method: methodOf(element), fields: settleMeanings(fields, type) };
    });
}

/**
 * The form that owns each control: the one its `form` attribute names, the one around it, or, as in a browser, the form that a
 * table swallowed: parsing `<table><form>` leaves the form empty and its controls in the cells behind it.
 */
export function assignControls(elements: readonly Element[]): ReadonlyMap<Element, readonly Element[]> {
  const byId = new Map(elements.filter(({ name, attribs }) => name === 'form' && attribs['id']).map((form) => [form.attribs['id'], form]));
  const owned = new Map<Element, Element[]>();
  let swallowed: Element | undefined;
  for (const element of elements) {
    if (element.name === 'form') swallowed = isSwallowed(element) ? element : undefined;
    if (!isControl(element)) continue;
    const named = element.attribs['form'] === undefined ? undefined : byId.get(element.attribs['form']);
    const owner = named ?? ancestorNamed(element, ['form']) ?? (swallowed && isWithin(element, swallowed.parent) ? swallowed : undefined);
    if (!owner) continue;
    const controls = owned.get(owner);
    if (controls) controls.push(element);
    else owned.set(owner, [element]);
  }
  return owned;
}

function isSwallowed(form: Element): boolean {
  const parent = form.parent;
  return form.children.length === 0 && parent !== null && isTag(parent) && /^(?:table|tbody|thead|tfoot|tr)$/.test(parent.name);
}

function isWithin(element: Element, top: AnyNode | null): boolean {
  for (let at: AnyNode | null = element; at; at = at.parent) if (at === top) return true;
  return false;
}

function readLabels(elements: readonly Element[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const element of elements) {
    const target = element.name === 'label' ? attribute(element, 'for') : undefined;
    if (target !== undefined && !labels.has(target)) labels.set(target, textOf(element, 200));
  }
  return labels;
}

function actionOf(form: Element, tree: PageTree): string {
  const action = attribute(form, 'action');
  const url = action === undefined ? null : URL.parse(action, tree.baseUrl);
  return url && /^https?:$/.test(url.protocol) ? url.href : tree.url;
}

function methodOf(form: Element): Form['method'] {
  const method = form.attribs['method']?.trim().toLowerCase();
  return method === 'post' || method === 'dialog' ? method : 'get';
}

function factsOf(form: Element, controls: readonly Element[], fields: readonly FormField[], action: string): Omit<FormFacts, 'page'> {
  const names = ['class', 'id', 'name', 'role', 'aria-label'].map((name) => form.attribs[name] ?? '').join(' ');
  const buttons = fields.filter(({ control }) => control === 'submit' || control === 'image' || control === 'button');
  const shown = fields.map(({ label, control }) => (control === 'hidden' ? '' : (label ?? ''))).join(' ');
  const target = URL.parse(action);
  return {
    fields,
    method: methodOf(form),
    names: names.toLowerCase(),
    around: namesAround(form).toLowerCase(),
    action: form.attribs['action'] === undefined ? '' : `${target?.pathname ?? ''}${target?.search ?? ''}`.toLowerCase(),
    buttons: buttons
      .map(({ label, name }) => `${label ?? ''} ${name}`)
      .join(' ')
      .toLowerCase(),
    text: `${textOf(form, TEXT_CHARACTERS_MAX)} ${shown.slice(0, TEXT_CHARACTERS_MAX)} ${fields
      .map(({ name }) => name)
      .join(' ')
      .slice(0, TEXT_CHARACTERS_MAX)}`.toLowerCase(),
    heading: headingOf(form).toLowerCase(),
    saysSearch: form.attribs['role'] === 'search' || controls.some(({ attribs }) => attribs['type']?.toLowerCase() === 'search'),
  };
}

/** Names of the two elements around a form, as long as they hold no other form. */
function namesAround(form: Element): string {
  let names = '';
  let at = form.parent;
  for (let depth = 0; depth < 2 && at && isTag(at) && at.name !== 'body' && holdsOneForm(at); at = at.parent, depth++) {
    names += ` ${at.attribs['class'] ?? ''} ${at.attribs['id'] ?? ''}`;
  }
  return names;
}

function holdsOneForm(element: Element): boolean {
  let forms = 0;
  let seen = 0;
  for (const below of elementsBelow(element)) {
    if (below.name === 'form') forms++;
    if (forms > 1 || ++seen > AROUND_ELEMENTS_MAX) return false;
  }
  return true;
}

/** What the page says of itself: the path of its address and its title. */
function pageWords(tree: PageTree): string {
  const title = tree.head.children.find((node): node is Element => isTag(node) && node.name === 'title');
  const shown = title?.children.map((node) => (node.type === 'text' ? node.data : '')).join('') ?? '';
  return `${URL.parse(tree.url)?.pathname ?? ''} ${collapse(shown).slice(0, HEADING_CHARACTERS_MAX)}`.toLowerCase();
}

/** The legend or first heading inside, or else the words just before the form. */
function headingOf(form: Element): string {
  for (const element of elementsBelow(form)) if (/^(?:legend|h[1-6])$/.test(element.name)) return textOf(element, HEADING_CHARACTERS_MAX);
  let at: AnyNode = form;
  for (let depth = 0; depth < 3 && at.parent && isTag(at.parent) && at.parent.name !== 'body'; depth++) {
    for (let before = at.prev, steps = 0; before && steps < 10; before = before.prev, steps++) {
      const text = isTag(before) || before.type === 'text' ? collapse(textOf(before, HEADING_CHARACTERS_MAX)) : '';
      if (text !== '') return text;
    }
    at = at.parent;
  }
  return '';
}
