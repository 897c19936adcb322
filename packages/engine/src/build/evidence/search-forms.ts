// Which forms of a site are searches, and how each is asked with a word of the caller's.
import type { FormField } from '../../extract/forms/fields.ts';
import type { Form } from '../../extract/forms/forms.ts';
import type { AskingWay, Parameter } from './catalogue.ts';
import type { Ids } from './ids.ts';
import type { PageEvidence } from './read-evidence.ts';

/** A form that can be asked, before anything was. */
export interface SearchForm {
  readonly form: Form;
  readonly pageUrl: string;
  /** The control that words go into, or whose choices are tried. */
  readonly field: FormField;
  /** What the site suggests for it. */
  readonly suggestions: readonly string[];
  /** What it sends unseen, by name, without tokens and without what each page has for itself. */
  readonly hidden: ReadonlyMap<string, string>;
}

/** How a search form is asked, with the parameters of its places. */
export interface SearchWay {
  readonly way: AskingWay;
  /** The one that is varied; the first of `parameters`. */
  readonly input: Omit<Parameter, 'examples'>;
  readonly others: readonly Parameter[];
  /** True where a token is among its fields. */
  readonly hasToken: boolean;
}

const TEXT_KINDS = new Set(['text', 'search', 'textarea', 'url', 'tel']);
const CHOICE_KINDS = new Set(['select']);
const SENT_BY_ITSELF = new Set(['hidden', 'select', 'text', 'search', 'radio', 'checkbox', 'number', 'date']);
const TOKEN_NAME = /(?:csrf|xsrf|token|nonce|authenticity|sectok|__requestverification|viewstate)/i;
/** The 128 bits of a session id (OWASP, Session Management) in base64. */
const SESSION_ID_LENGTH = 22;
/** Forms of these kinds send something of a person's, or change something. */
const NEVER = new Set(['login', 'registration', 'password_reset', 'contact', 'comment', 'newsletter', 'order', 'poll', 'captcha']);
const CHOICES_MAX = 100;
/** A field that has another value on each of more pages says on which of them it stands. */
const PAGES_TOLD_APART_MAX = 3;

/** The search forms of `pages`, each once, those with a word to fill in first and what is asked as another one is last; and why each other form is none. */
export function findSearchForms(pages: readonly PageEvidence[]): {
  readonly searches: readonly SearchForm[];
  readonly others: readonly { readonly form: Form; readonly pageUrl: string; readonly reason: string }[];
} {
  const searches: SearchForm[] = [];
  const others: { readonly form: Form; readonly pageUrl: string; readonly reason: string }[] = [];
  const seen = new Set<string>();
  const isOfItsPage = readPageFields(pages);
  for (const page of pages) {
    for (const form of page.forms) {
      const hidden = new Map([...hiddenOf(form)].filter(([name]) => !isOfItsPage(form, name)));
      const key = JSON.stringify([fieldsKey(form), ...hidden]);
      if (seen.has(key)) continue;
      seen.add(key);
      const reason = refusalOf(form, page.url);
      const field = reason === undefined ? inputField(form) : undefined;
      if (field) searches.push({ form, pageUrl: page.url, field, suggestions: page.suggestions[field.name] ?? [], hidden });
      else others.push({ form, pageUrl: page.url, reason: reason ?? 'It asks for nothing that could be varied.' });
    }
  }
  const rank = ({ field, form }: SearchForm) => (form.type === 'search' ? 0 : 2) + (TEXT_KINDS.has(field.control) ? 0 : 1);
  const ranked = searches.map((search, place) => ({
    search,
    rank: rank(search),
    alike: searches.slice(0, place).filter((other) => asksAlike(search, other)).length,
  }));
  return { searches: ranked.toSorted((a, b) => a.rank - b.rank || a.alike - b.alike).map(({ search }) => search), others };
}

function fieldsKey({ method, action, fields }: Form): string {
  return `${method} ${action} ${fields.map(({ name }) => name).join(' ')}`;
}

/** Whether a hidden field of a form says on which page it stands: an address to go back to, an id that each page is given anew. */
function readPageFields(pages: readonly PageEvidence[]): (form: Form, name: string) => boolean {
  const pagesOf = new Map<string, Map<string, Set<string>>>();
  for (const { url, forms } of pages)
    for (const form of forms)
      for (const [name, value] of hiddenOf(form)) {
        const key = `${fieldsKey(form)} ${name}`;
        const byValue = pagesOf.get(key) ?? new Map<string, Set<string>>();
        pagesOf.set(key, byValue.set(value, (byValue.get(value) ?? new Set()).add(url)));
      }
  return (form, name) => {
    const shownOn = [...(pagesOf.get(`${fieldsKey(form)} ${name}`)?.values() ?? [])];
    return new Set(shownOn.flatMap((urls) => [...urls])).size > PAGES_TOLD_APART_MAX && shownOn.every(({ size }) => size === 1);
  };
}

/** Why a form is never sent by itself; undefined for a search. */
function refusalOf(form: Form, pageUrl: string): string | undefined {
  if (NEVER.has(form.type)) return `It is a form of the kind ${form.type}, and is never sent by itself.`;
  if (form.fields.some(({ control }) => control === 'password' || control === 'file')) return 'It asks for a password or a file.';
  if (form.method === 'dialog') return 'It closes a dialog and sends nothing.';
  if (form.method === 'post' && form.type !== 'search') return 'It is sent by POST and is no search, so it may change something.';
  if (URL.parse(form.action)?.origin !== URL.parse(pageUrl)?.origin) return 'It is sent to another site.';
  return undefined;
}

function inputField({ fields, type }: Form): FormField | undefined {
  const named = fields.filter(({ name }) => name !== '');
  const text = named.find(({ control, type: meaning }) => TEXT_KINDS.has(control) && meaning === 'search_query');
  const anyText = named.find(({ control }) => TEXT_KINDS.has(control));
  const choice = named.find(
    ({ control, options = [] }) => CHOICE_KINDS.has(control) && options.filter(({ value }) => value !== '').length >= 2,
  );
  return text ?? (type === 'search' ? (anyText ?? choice) : (choice ?? anyText));
}

/** How `search` is asked. A token among its fields, or a body, makes it a form that is read anew each time. */
export function wayOf({ form, pageUrl, field }: SearchForm, ids: Ids): SearchWay {
  const sent = form.fields.filter((each) => each.name !== '' && each.name !== field.name && SENT_BY_ITSELF.has(each.control));
  const hasToken = sent.some(({ control, name, value = '' }) => control === 'hidden' && TOKEN_NAME.test(name) && value.length >= 8);
  const input = parameterOf(field, ids, true);
  const others = sent
    .filter(({ control, options = [] }) => control === 'select' && options.length >= 2)
    .map((each) => parameterOf(each, ids, false));
  const choices = others.map((parameter) => ({
    ...parameter,
    examples: (parameter.choices ?? [])
      .filter(({ value }) => value !== '')
      .slice(0, 5)
      .map(({ value }) => ({ id: ids.next('X'), value, seenIn: 'choice' as const })),
  }));
  if (form.method === 'post' || hasToken) {
    const controls = Object.fromEntries([input, ...choices].map(({ name, id }) => [name, `{${id}}`]));
    const sentTo = form.method === 'post' ? { sentTo: form.action } : {};
    return { way: { kind: 'form', pageUrl, selector: form.selector, controls, ...sentTo }, input, others: choices, hasToken };
  }
  const pairs = [...sentPairs(form, field, input.id), ...choices.map(({ name, id }) => [name, `{${id}}`] as const)];
  const target = new URL(form.action);
  target.search = '';
  target.hash = '';
  const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${/^\{P\d+\}$/.test(value) ? value : encodeURIComponent(value)}`);
  return { way: { kind: 'address', url: `${target.href}?${query.join('&')}` }, input, others: choices, hasToken };
}

/** True where a caller fills in the same for both: they differ by what stands in their hidden fields alone. */
export function asksAlike(one: SearchForm, other: SearchForm): boolean {
  const shown = ({ form, field }: SearchForm) =>
    [form.method, form.action, field.name, ...form.fields.filter(({ control }) => control !== 'hidden').map(({ name }) => name)].join(' ');
  return shown(one) === shown(other);
}

/** What `search` sends by itself and not each of `others` does: `with type=book`; empty where there is nothing. It stands in names: no token is in it. */
export function differenceOf({ hidden }: SearchForm, others: readonly SearchForm[]): string {
  const own = [...hidden]
    .filter(([name, value]) => others.some((other) => other.hidden.get(name) !== value))
    .map(([name, value]) => (value.length < SESSION_ID_LENGTH ? `${name}=${value}` : name));
  return own.length > 0 ? `with ${own.join(' ')}` : '';
}

function hiddenOf({ fields }: Form): ReadonlyMap<string, string> {
  const named = fields.filter(({ control, name }) => control === 'hidden' && name !== '' && !TOKEN_NAME.test(name));
  return new Map(named.map(({ name, value = '' }) => [name, value]));
}

/**
 * What is sent beside the choices, in the order of the form: the input, what stands in the fields by itself, and the first button that sends it,
 * as it is by the Enter key (HTML 4.10.22.2). Another button may lead to what is called like the word.
 */
function sentPairs({ fields }: Form, field: FormField, inputId: string): readonly (readonly [name: string, value: string])[] {
  const button = fields.find(({ control }) => control === 'submit');
  return fields.flatMap((each): readonly (readonly [string, string])[] => {
    if (each.name === '') return [];
    if (each === button && each.value !== undefined) return [[each.name, each.value]];
    if (each.name === field.name) return [[each.name, `{${inputId}}`]];
    if (each.control === 'select' && (each.options ?? []).length >= 2) return [];
    if (!SENT_BY_ITSELF.has(each.control) || each.value === undefined) return [];
    return each.control === 'hidden' || each.control === 'select' || each.value !== '' ? [[each.name, each.value]] : [];
  });
}

function parameterOf({ name, label, control, options = [], value }: FormField, ids: Ids, isInput: boolean): Parameter {
  const choices = control === 'select' ? options.filter((option) => option.value !== '' || !isInput).slice(0, CHOICES_MAX) : [];
  return {
    id: ids.next('P'),
    name,
    ...(label === undefined ? {} : { label: label.slice(0, 100) }),
    role: 'input',
    type: 'string',
    required: isInput,
    ...(choices.length > 0 ? { choices: choices.map(({ value: each, label: said }) => ({ value: each, label: said })) } : {}),
    ...(isInput ? {} : { initial: value ?? '' }),
    examples: [],
  };
}
