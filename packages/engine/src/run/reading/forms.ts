// Forms as a browser would send them: every control that is sent with its value now, hidden ones and tokens included (HTML, 4.10.22.4).
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { Selectors } from '@weft/contract';
import { PageError } from '../../errors.ts';
import { isControl } from '../../extract/forms/fields.ts';
import { assignControls } from '../../extract/forms/forms.ts';
import { cssPathOf, readUniqueIds } from '../../html/selectors/css-path.ts';
import { textOf } from '../../html/selectors/text.ts';
import { elementsBelow } from '../../html/walk.ts';
import { findElements } from './find.ts';
import type { ReadPage } from './find.ts';
import { hasScripts, scriptOf } from './form-scripts.ts';

/** Which form of a page, and what is to be filled in. */
export interface FormAsk {
  readonly selectors?: Selectors | undefined;
  readonly index?: number | undefined;
  /** The names that it must have. */
  readonly names: readonly string[];
  /** The name or the text of the button that sends it. */
  readonly submit?: string | undefined;
}

/** One control as it is sent when nobody touches it. */
export interface FormEntry {
  readonly name: string;
  /** Values that are sent; none where nothing is ticked. */
  readonly values: readonly string[];
  readonly kind: 'text' | 'choice' | 'tick' | 'file';
  /** What can be chosen or ticked, by value and by what it says. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
}

/** A form, ready to be filled in and sent. */
export interface ReadForm {
  /** CSS that only this form matches. */
  readonly selector: string;
  /** Absolute. */
  readonly action: string;
  readonly method: 'get' | 'post';
  readonly encoding: 'application/x-www-form-urlencoded' | 'multipart/form-data' | 'text/plain';
  /** In the order in which they are sent. */
  readonly entries: readonly FormEntry[];
  /** The button, where it is sent with its name. */
  readonly button?: { readonly name: string; readonly value: string };
  /** Why its page's scripts change what is sent, as the rest of a sentence about the page; absent where the page does not say so. */
  readonly script?: string;
  /** True where the page has scripts that could do so. */
  readonly hasScripts: boolean;
}

/** The form that `ask` means. Throws PageError `selector` where there is none. */
export function readForm(ask: FormAsk, page: ReadPage): ReadForm {
  const { tree } = page.document;
  const owned = assignControls([...elementsBelow(tree.root)]);
  const form = chooseForm(ask, page, owned);
  const controls = owned.get(form) ?? [];
  const button = buttonOf(controls, ask.submit, page);
  const method = (button?.attribs['formmethod'] ?? form.attribs['method'] ?? 'get').trim().toLowerCase();
  const action = button?.attribs['formaction'] ?? form.attribs['action'] ?? '';
  const encoding = (button?.attribs['formenctype'] ?? form.attribs['enctype'] ?? '').trim().toLowerCase();
  const isOwn = action.trim() === '' || /^\s*javascript:/i.test(action);
  const target = isOwn ? URL.parse(tree.url) : URL.parse(action, tree.baseUrl);
  if (!target || !/^https?:$/.test(target.protocol)) throw formError(page, `is sent to ${action.slice(0, 100)}, which is no address`);
  const name = button?.attribs['name'];
  const script = scriptOf(form, controls, tree);
  return {
    selector: cssPathOf(form, readUniqueIds([...elementsBelow(tree.root)])),
    action: target.href,
    method: method === 'post' ? 'post' : 'get',
    encoding: encoding === 'multipart/form-data' || encoding === 'text/plain' ? encoding : 'application/x-www-form-urlencoded',
    entries: entriesOf(controls),
    ...(button && name ? { button: { name, value: button.attribs['value'] ?? '' } } : {}),
    ...(script === undefined ? {} : { script }),
    hasScripts: hasScripts(form, tree),
  };
}

type Owned = ReadonlyMap<Element, readonly Element[]>;

function chooseForm({ selectors, index, names }: FormAsk, page: ReadPage, owned: Owned): Element {
  const forms = [...elementsBelow(page.document.tree.root)].filter((element) => element.name === 'form');
  if (selectors) {
    const pointed = findElements(selectors, page.document).found.map(({ node }) => formOf(node, owned));
    return pointed.find((form) => form !== undefined) ?? refuse(page, 'has no form where the selectors point');
  }
  if (index !== undefined) return forms[index] ?? refuse(page, `has ${forms.length} forms, and none of the number ${index}`);
  const has = (form: Element, name: string) => (owned.get(form) ?? []).some(({ attribs }) => attribs['name'] === name);
  const fitting = forms.find((form) => names.every((name) => has(form, name)));
  return fitting ?? refuse(page, `has no form with the fields ${names.join(', ') || 'that were asked for'}`);
}

function refuse(page: ReadPage, what: string): never {
  throw formError(page, what);
}

function formError(page: ReadPage, what: string): PageError {
  const { url } = page.document.source;
  return new PageError('selector', `${url} ${what}.`, { url });
}

/** The form that a node is, that it lies in, or that owns it. */
function formOf(node: AnyNode | undefined, owned: Owned): Element | undefined {
  for (let at: AnyNode | null = node ?? null; at; at = at.parent) if (isTag(at) && at.name === 'form') return at;
  if (!node || !isTag(node)) return undefined;
  const owner = [...owned].find(([, controls]) => controls.includes(node))?.[0];
  return owner ?? [...elementsBelow(node)].find(({ name }) => name === 'form');
}

function isButton({ name, attribs }: Element): boolean {
  const type = (attribs['type'] ?? '').trim().toLowerCase();
  return name === 'button' ? type === '' || type === 'submit' : name === 'input' && (type === 'submit' || type === 'image');
}

function buttonOf(controls: readonly Element[], submit: string | undefined, page: ReadPage): Element | undefined {
  const buttons = controls.filter((control) => isButton(control) && !('disabled' in control.attribs));
  if (submit === undefined) return buttons[0];
  const says = (button: Element) => [button.attribs['name'], button.attribs['value'], button.attribs['id'], textOf(button, 200)];
  return buttons.find((button) => says(button).includes(submit)) ?? refuse(page, `has no button "${submit}" in its form`);
}

function entriesOf(controls: readonly Element[]): readonly FormEntry[] {
  const entries: FormEntry[] = [];
  const ticks = new Map<string, Element[]>();
  for (const control of controls) {
    const name = control.attribs['name'] ?? '';
    if (name === '' || !isControl(control) || 'disabled' in control.attribs || isInert(control)) continue;
    const type = (control.attribs['type'] ?? '').trim().toLowerCase();
    if (control.name === 'button' || ['submit', 'image', 'reset', 'button'].includes(type)) continue;
    if (type === 'checkbox' || type === 'radio') {
      const group = ticks.get(name);
      if (group) group.push(control);
      else ticks.set(name, [control]);
      if (!group) entries.push({ name, kind: 'tick', values: [] });
    } else entries.push(entryOf(control, name, type));
  }
  return entries.map((entry) => (entry.kind === 'tick' ? tickEntry(entry.name, ticks.get(entry.name) ?? []) : entry));
}

function tickEntry(name: string, controls: readonly Element[]): FormEntry {
  const choices = controls.map((control) => ({ value: control.attribs['value'] ?? 'on', label: labelOf(control) }));
  const values = controls.filter(({ attribs }) => 'checked' in attribs).map(({ attribs }) => attribs['value'] ?? 'on');
  return { name, kind: 'tick', values, choices };
}

function labelOf(control: Element): string {
  for (let at = control.parent; at && isTag(at) && at.name !== 'form'; at = at.parent) if (at.name === 'label') return textOf(at, 200);
  return '';
}

function entryOf(control: Element, name: string, type: string): FormEntry {
  if (control.name === 'select') return selectEntry(control, name);
  if (type === 'file') return { name, kind: 'file', values: [] };
  const text = control.name === 'textarea' ? textareaOf(control) : (control.attribs['value'] ?? '');
  return { name, kind: 'text', values: [text] };
}

/** A line break right behind the tag is not part of the text (HTML, 13.1.2.5); the parser has dropped it. */
function textareaOf(area: Element): string {
  return area.children.map((node) => (node.type === 'text' ? node.data : '')).join('');
}

function selectEntry(select: Element, name: string): FormEntry {
  const options = [...elementsBelow(select)].filter((element) => element.name === 'option');
  const valueOf = (option: Element) => option.attribs['value'] ?? textOf(option, 200);
  const choices = options.map((option) => ({ value: valueOf(option), label: textOf(option, 200) }));
  const selected = options.filter(({ attribs }) => 'selected' in attribs);
  if ('multiple' in select.attribs) return { name, kind: 'choice', values: selected.map(valueOf), choices };
  const chosen = selected.at(-1) ?? options.find(({ attribs }) => !('disabled' in attribs));
  return { name, kind: 'choice', values: chosen ? [valueOf(chosen)] : [], choices };
}

/** Controls of a disabled group are not sent. */
function isInert(control: Element): boolean {
  for (let at = control.parent; at && isTag(at) && at.name !== 'form'; at = at.parent)
    if (at.name === 'fieldset' && 'disabled' in at.attribs) return true;
  return false;
}
