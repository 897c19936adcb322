// Reads the controls of a form: name, kind, label, value, options, and what each asks for.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { textOf } from '../../html/selectors/text.ts';
import { collapse } from '../../html/text.ts';
import { attribute, elementsBelow } from '../../html/walk.ts';
import { FIELD_WORDS, SEARCH_FIELD_NAME } from './vocabulary.ts';
import type { FieldMeaning, FormType } from './vocabulary.ts';

/** How a control is filled in: the `type` of an input, or `select`, `textarea`, `button`. */
export type ControlKind = string;

/** One control of a form. */
export interface FormField {
  /** The name it is sent under; empty when it is never sent. */
  readonly name: string;
  /** What it asks for where that is clear, else its control kind. */
  readonly type: FieldMeaning | ControlKind;
  readonly control: ControlKind;
  /** The words a person sees for it: its label, `aria-label`, `placeholder`, `title`, or the text of a button. */
  readonly label?: string;
  readonly required: boolean;
  /** The value it has when nobody touches it; absent for passwords. */
  readonly value?: string;
  /** Choices of a `select`, in document order, at most OPTIONS_MAX. */
  readonly options?: readonly { readonly value: string; readonly label: string; readonly selected: boolean }[];
}

/** Longer lists of choices are cut. */
export const OPTIONS_MAX = 500;
const LABEL_CHARACTERS_MAX = 200;
/** Longer labels explain; they don't name. */
const SHORT_LABEL_CHARACTERS = 60;
const CONFIRMS = /confirm|repeat|again|retype|re-?enter|verif|conf|compare|(?:pass\w*|pw|pwd)[-_ ]?2/;
/** Meanings that a list of choices can't have. */
const TYPED_ONLY = new Set<FieldMeaning>([
  'username',
  'full_name',
  'first_name',
  'last_name',
  'email',
  'url',
  'subject',
  'openid',
  'captcha',
]);
const CONTROLS = new Set(['input', 'select', 'textarea', 'button']);
const INPUT_KINDS = new Set(
  'button checkbox color date datetime-local email file hidden image month number password radio range reset search submit tel text time url week'.split(
    ' ',
  ),
);

/** True for the elements that a form sends or that send it. */
export function isControl(element: Element): boolean {
  return CONTROLS.has(element.name);
}

/** Reads one control. `labels` maps ids to the text of their `<label for>`. */
export function readField(element: Element, labels: ReadonlyMap<string, string>): FormField {
  const control = controlOf(element);
  const label = labelOf(element, control, labels);
  const value = valueOf(element, control);
  const options = element.name === 'select' ? readOptions(element) : undefined;
  return {
    name: element.attribs['name'] ?? '',
    type: meaningOf(element, control, label ?? '') ?? control,
    control,
    ...(label === undefined ? {} : { label }),
    required: 'required' in element.attribs || element.attribs['aria-required'] === 'true',
    ...(value === undefined ? {} : { value }),
    ...(options === undefined ? {} : { options }),
  };
}

function controlOf(element: Element): ControlKind {
  const type = (element.attribs['type'] ?? '').trim().toLowerCase();
  if (element.name === 'button') return type === 'button' || type === 'reset' ? type : 'submit';
  if (element.name !== 'input') return element.name;
  return INPUT_KINDS.has(type) ? type : 'text';
}

function labelOf(element: Element, control: ControlKind, labels: ReadonlyMap<string, string>): string | undefined {
  const id = attribute(element, 'id');
  const candidates = [
    element.name === 'button' ? textOf(element, LABEL_CHARACTERS_MAX) : undefined,
    isPressed(control) ? (attribute(element, 'value') ?? attribute(element, 'alt')) : undefined,
    id === undefined ? undefined : labels.get(id),
    wrappingLabel(element),
    attribute(element, 'aria-label'),
    attribute(element, 'placeholder'),
    attribute(element, 'title'),
  ];
  return candidates.map((text) => collapse(text ?? '').slice(0, LABEL_CHARACTERS_MAX)).find((text) => text !== '');
}

function isPressed(control: ControlKind): boolean {
  return control === 'submit' || control === 'button' || control === 'reset' || control === 'image';
}

function wrappingLabel(element: Element): string | undefined {
  let at: AnyNode | null = element.parent;
  for (let depth = 0; at && isTag(at) && at.name !== 'form' && depth < 5; at = at.parent, depth++) {
    if (at.name === 'label') return textOf(at, LABEL_CHARACTERS_MAX);
  }
  return undefined;
}

function valueOf(element: Element, control: ControlKind): string | undefined {
  if (control === 'password' || control === 'file') return undefined;
  if (element.name === 'textarea') return rawText(element);
  if (control === 'checkbox' || control === 'radio') return 'checked' in element.attribs ? (element.attribs['value'] ?? 'on') : undefined;
  if (element.name === 'select') return chosenIn(element);
  return element.attribs['value'];
}

/** What a select sends untouched: the last of those that are selected, else its first, unless it is a box that shows several. */
function chosenIn(select: Element): string | undefined {
  const selected = readOptions(select).findLast((option) => option.selected);
  if (selected || 'multiple' in select.attribs || Number(select.attribs['size'] ?? 1) > 1) return selected?.value;
  const first = [...elementsBelow(select)].find((element) => element.name === 'option' && !isSwitchedOff(element));
  return first && optionOf(first).value;
}

function isSwitchedOff({ attribs, parent }: Element): boolean {
  return 'disabled' in attribs || (parent !== null && 'attribs' in parent && 'disabled' in parent.attribs);
}

function rawText(element: Element): string {
  return element.children.map((node) => (node.type === 'text' ? node.data : '')).join('');
}

function readOptions(select: Element): NonNullable<FormField['options']> {
  const options: NonNullable<FormField['options']>[number][] = [];
  for (const element of elementsBelow(select)) {
    if (options.length >= OPTIONS_MAX) break;
    if (element.name !== 'option') continue;
    options.push(optionOf(element));
  }
  return options;
}

function optionOf(element: Element): NonNullable<FormField['options']>[number] {
  const label = textOf(element, LABEL_CHARACTERS_MAX);
  return { value: element.attribs['value'] ?? label, label, selected: 'selected' in element.attribs };
}

function meaningOf(element: Element, control: ControlKind, label: string): FieldMeaning | undefined {
  if (isPressed(control) || control === 'hidden' || control === 'file') return undefined;
  const shown = label.length <= SHORT_LABEL_CHARACTERS ? label.toLowerCase() : '';
  const sources = [
    shown,
    lastPart(element.attribs['name']),
    lastPart(element.attribs['id']),
    (element.attribs['placeholder'] ?? '').toLowerCase(),
  ];
  const words = sources.join(' | ');
  if (control === 'checkbox' || control === 'radio') return meaningOfChoice(`${words} ${label.toLowerCase()}`);
  if (control === 'password') return CONFIRMS.test(words) ? 'password_confirm' : 'password';
  if (control === 'search') return 'search_query';
  if (control === 'tel') return 'phone';
  if (control === 'url') return 'url';
  if (control === 'textarea') return /captcha/.test(words) ? 'captcha' : 'message';
  const meaning = CONFIRMS.test(words) && /mail/.test(words) ? 'email_confirm' : meaningOfSources(sources);
  if (control === 'select') return meaning && TYPED_ONLY.has(meaning) ? undefined : meaning;
  if (control === 'email') return meaning === 'email_confirm' || meaning === 'username_or_email' ? meaning : 'email';
  const isQuery = control === 'text' && SEARCH_FIELD_NAME.test(element.attribs['name'] ?? '') && !/mail|user/.test(words);
  return isQuery ? 'search_query' : meaning;
}

/** What the first source that says anything says. */
function meaningOfSources(sources: readonly string[]): FieldMeaning | undefined {
  for (const words of sources) {
    const found = FIELD_WORDS.find(([, pattern]) => pattern.test(words));
    if (found) return found[0];
  }
  return undefined;
}

/** The only typed field of a search form is its query and that of a login is its user name, whatever they are called. */
export function settleMeanings(fields: readonly FormField[], type: FormType): readonly FormField[] {
  const open = fields.filter((field) => field.control === 'text' && (field.type === 'text' || field.type === 'full_name'));
  const lonely = open.length === 1 && !fields.some(({ type: meaning }) => meaning === 'search_query' || /^(?:user|email)/.test(meaning));
  const meaning = type === 'search' ? 'search_query' : type === 'login' ? 'username' : undefined;
  return lonely && meaning ? fields.map((field) => (field === open[0] ? { ...field, type: meaning } : field)) : fields;
}

function meaningOfChoice(words: string): FieldMeaning | undefined {
  if (/remember|keep me|stay signed|rememb|autologin|persistent|angemeldet bleiben|se souvenir|recordar|запомнить|cookie/.test(words))
    return 'remember_me';
  if (/terms|agree|accept|conditions|(?<![a-z])tos(?![a-z])|privacy|agb|cgu|соглас|условия/.test(words)) return 'terms';
  return /gender|(?<![a-z])sex(?![a-z])/.test(words) ? 'gender' : undefined;
}

/** The last word of a structured name, in lower case: `data[User][firstName]` as `first name`. */
function lastPart(name: string | undefined): string {
  const parts = (name ?? '').split(/[[\].$:]+/).filter((part) => /\p{L}/u.test(part));
  return (parts.at(-1) ?? '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
}
