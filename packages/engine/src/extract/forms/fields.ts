// Reads the controls of a form: name, kind, label, value, options, and what each asks for.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { attribute, collapse, elementsBelow, textOf } from '../../html/selectors/walk.ts';
import { FIELD_WORDS, SEARCH_FIELD_NAME } from './vocabulary.ts';
import type { FieldMeaning } from './vocabulary.ts';

/** How a control is filled in: the `type` of an input, or `select`, `textarea`, `button`. */
export type ControlKind = string;

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
const CONTROLS = new Set(['input', 'select', 'textarea', 'button']);
const INPUT_KINDS = new Set(
  'button checkbox color date datetime-local email file hidden image month number password radio range reset search submit tel text time url week'.split(' '),
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
  if (element.name === 'select') return readOptions(element).find(({ selected }) => selected)?.value;
  return element.attribs['value'];
}

function rawText(element: Element): string {
  return element.children.map((node) => (node.type === 'text' ? node.data : '')).join('');
}

function readOptions(select: Element): NonNullable<FormField['options']> {
  const options: { value: string; label: string; selected: boolean }[] = [];
  for (const element of elementsBelow(select)) {
    if (options.length >= OPTIONS_MAX) break;
    if (element.name !== 'option') continue;
    const label = textOf(element, LABEL_CHARACTERS_MAX);
    options.push({ value: element.attribs['value'] ?? label, label, selected: 'selected' in element.attribs });
  }
  return options;
}

function meaningOf(element: Element, control: ControlKind, label: string): FieldMeaning | undefined {
  if (isPressed(control) || control === 'hidden' || control === 'file') return undefined;
  const words = `${lastPart(element.attribs['name'])} ${lastPart(element.attribs['id'])} | ${label.toLowerCase()} | ${(element.attribs['placeholder'] ?? '').toLowerCase()}`;
  if (control === 'checkbox' || control === 'radio') return meaningOfChoice(words);
  if (control === 'password') return /confirm|repeat|again|retype|re-?enter|verif|conf|(?:pass\w*|pw|pwd)[-_]?2/.test(words) ? 'password_confirm' : 'password';
  if (control === 'search') return 'search_query';
  if (control === 'email') return meaningOfWords(words)?.startsWith('email') ? meaningOfWords(words) : 'email';
  if (control === 'tel') return 'phone';
  if (control === 'url') return 'url';
  if (control === 'text' && SEARCH_FIELD_NAME.test(element.attribs['name'] ?? '') && !/mail|user/.test(words)) return 'search_query';
  if (control === 'textarea') return /captcha/.test(words) ? 'captcha' : 'message';
  return meaningOfWords(words);
}

function meaningOfWords(words: string): FieldMeaning | undefined {
  return FIELD_WORDS.find(([, pattern]) => pattern.test(words))?.[0];
}

function meaningOfChoice(words: string): FieldMeaning | undefined {
  if (/remember|keep me|stay signed|rememb|autologin|persistent|angemeldet bleiben|se souvenir|recordar|запомнить|cookie/.test(words)) return 'remember_me';
  if (/terms|agree|accept|conditions|(?<![a-z])tos(?![a-z])|privacy|agb|cgu|соглас|условия/.test(words)) return 'terms';
  return /gender|(?<![a-z])sex(?![a-z])/.test(words) ? 'gender' : undefined;
}

/** The last word of a structured name, in lower case: `data[User][firstName]` as `first name`. */
function lastPart(name: string | undefined): string {
  const parts = (name ?? '').split(/[[\].$:]+/).filter((part) => /\p{L}/u.test(part));
  return (parts.at(-1) ?? '').replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ').toLowerCase();
}
