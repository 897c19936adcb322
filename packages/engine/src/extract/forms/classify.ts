// Decides what a form is for, from its controls, its names and its words. Points for each kind; the most points win.
import type { FormField } from './fields.ts';
import { FORM_WORDS, SEARCH_FIELD_NAME } from './vocabulary.ts';
import type { FormType } from './vocabulary.ts';

/** What is known of one form, everything in lower case. */
export interface FormFacts {
  readonly fields: readonly FormField[];
  readonly method: string;
  /** `class`, `id`, `name` and `role` of the form. */
  readonly names: string;
  /** `class` and `id` of the elements that hold this form and no other. */
  readonly around: string;
  /** Path and query of where it is sent. */
  readonly action: string;
  /** Text of its submit buttons. */
  readonly buttons: string;
  /** Its shown words, buttons included, at most some hundred characters. */
  readonly text: string;
  /** The words just before it, and its legend. */
  readonly heading: string;
  /** Path and title of the page. */
  readonly page: string;
  /** Whether it says that it is a search: `role=search` or `input type=search`. */
  readonly saysSearch: boolean;
}

/** Counts that the rules below speak of. */
interface Shape {
  readonly passwords: number;
  readonly texts: number;
  readonly emails: number;
  readonly textareas: number;
  readonly choices: number;
  readonly files: number;
  readonly openid: boolean;
  readonly username: boolean;
  readonly personal: number;
  readonly quantity: boolean;
  readonly searchName: boolean;
  readonly rememberMe: boolean;
  readonly confirmed: boolean;
}

const TYPED = new Set(['text', 'search', 'email', 'tel', 'url', 'number', 'date', 'textarea']);
const PERSONAL = new Set(
  'first_name last_name middle_name full_name phone fax address city state postal_code country birth_date gender organization'.split(' '),
);
const POINTS_MIN = 3;

/** The kind with the most points; `other` where none reaches POINTS_MIN. */
export function classifyForm(facts: FormFacts): FormType {
  const shape = shapeOf(facts.fields);
  let best: FormType = 'other';
  let most = POINTS_MIN;
  for (const [type, rate] of RATES) {
    const points = rate(facts, shape);
    if (points > most || (points === most && best === 'other')) [best, most] = [type, points];
  }
  return best;
}

function shapeOf(fields: readonly FormField[]): Shape {
  const count = (is: (field: FormField) => boolean) => fields.filter(is).length;
  const typed = fields.filter(({ control, type }) => TYPED.has(control) && type !== 'captcha');
  return {
    passwords: count(({ control }) => control === 'password'),
    texts: typed.length,
    emails: count(({ type }) => type === 'email' || type === 'email_confirm' || type === 'username_or_email'),
    textareas: count(({ control, type }) => control === 'textarea' && type === 'message'),
    choices: count(({ control }) => control === 'select' || control === 'radio' || control === 'checkbox'),
    files: count(({ control }) => control === 'file'),
    openid: fields.some(({ type }) => type === 'openid'),
    username: typed.some(({ type }) => type === 'username' || type === 'username_or_email'),
    personal: count(({ type }) => PERSONAL.has(type)),
    quantity: fields.some(({ type }) => type === 'quantity'),
    searchName: typed.some(({ control, name }) => control !== 'textarea' && SEARCH_FIELD_NAME.test(name)),
    rememberMe: fields.some(({ type }) => type === 'remember_me'),
    confirmed: fields.some(({ type }) => type === 'password_confirm' || type === 'email_confirm'),
  };
}

type Rate = (facts: FormFacts, shape: Shape) => number;

/** Points for words: much on a button, less in names and address, least in the text around. */
function wordPoints(words: RegExp, facts: FormFacts): number {
  let points = 0;
  if (words.test(facts.buttons)) points += 2;
  if (words.test(facts.names)) points += 2;
  if (words.test(facts.action)) points += 2;
  if (words.test(facts.heading) || words.test(facts.around)) points += 1;
  return words.test(facts.text) ? points + 0.5 : points;
}

const rateSearch: Rate = (facts, shape) => {
  if (shape.passwords > 0 || shape.textareas > 0 || shape.files > 0) return 0;
  if (shape.texts === 0 && shape.choices === 0) return 0;
  let points = Math.min(wordPoints(FORM_WORDS.search, facts), 5);
  if (facts.saysSearch) points += 3;
  if (shape.searchName) points += 2;
  if (facts.method === 'get') points += 1;
  if (shape.texts === 1) points += shape.choices === 0 ? 1.5 : 0.5;
  if (shape.emails > 0) points -= 3;
  // Searches for places ask for a city too, but they don't post it.
  return facts.method === 'get' ? points : points - shape.personal * 0.5;
};

const rateLogin: Rate = (facts, shape) => {
  if (shape.passwords > 1 || (shape.passwords === 0 && !shape.openid && !FORM_WORDS.login.test(facts.buttons))) return 0;
  let points = (shape.passwords === 1 || shape.openid ? 3 : -1.5) + Math.min(wordPoints(FORM_WORDS.login, facts), 5);
  if (FORM_WORDS.login.test(facts.page)) points += 0.5;
  if (shape.rememberMe) points += 2;
  if (shape.texts <= 2) points += 1;
  if (shape.texts > 3) points -= 2;
  if (shape.confirmed) points -= 3;
  return points - shape.personal;
};

const rateRegistration: Rate = (facts, shape) => {
  if (shape.texts + shape.passwords === 0) return 0;
  let points = Math.min(wordPoints(FORM_WORDS.registration, facts), 5);
  if (FORM_WORDS.registration.test(facts.buttons) && !FORM_WORDS.login.test(facts.buttons)) points += 1;
  if (shape.passwords === 2) points += 4;
  if (shape.passwords === 1) points += 0.5;
  if (shape.passwords === 0) points -= 1;
  if (FORM_WORDS.registration.test(facts.page)) points += 1;
  if (shape.confirmed) points += 1;
  if (shape.passwords > 0 && shape.emails > 0 && shape.username) points += 1.5;
  return points + Math.min(shape.personal, 4) * 0.7;
};

const rateReset: Rate = (facts, shape) => {
  if (shape.passwords > 0 || shape.texts === 0 || shape.texts > 4) return 0;
  const words = wordPoints(FORM_WORDS.reset, facts) + wordPoints(FORM_WORDS.password, facts);
  const page = (FORM_WORDS.reset.test(facts.page) ? 1 : 0) + (FORM_WORDS.password.test(facts.page) ? 1 : 0);
  if (words + page < 1) return 0;
  return Math.min(words + page, 5) + (shape.emails > 0 || shape.username ? 2 : 0);
};

const rateComment: Rate = (facts, shape) => (shape.textareas === 0 || shape.passwords > 0 ? 0 : 1 + wordPoints(FORM_WORDS.comment, facts));

const rateContact: Rate = (facts, shape) => {
  if (shape.passwords > 0) return 0;
  const points = Math.min(wordPoints(FORM_WORDS.contact, facts), 4) + (FORM_WORDS.contact.test(facts.page) ? 1 : 0);
  return points + (shape.textareas > 0 ? 2.5 : -2) + (shape.emails > 0 ? 1 : 0) + Math.min(shape.personal, 3) * 0.5;
};

const rateNewsletter: Rate = (facts, shape) => {
  if (shape.passwords > 0 || shape.textareas > 0 || shape.texts === 0) return 0;
  const points = Math.min(wordPoints(FORM_WORDS.newsletter, facts), 5) + (shape.texts <= 2 && shape.emails === 1 ? 1 : 0);
  return points + (shape.emails > 0 ? 2 : -1) - (shape.texts > 3 ? 1.5 : 0);
};

const rateOrder: Rate = (facts, shape) => {
  if (shape.passwords > 0) return 0;
  return Math.min(wordPoints(FORM_WORDS.order, facts), 5) + (shape.quantity ? 2.5 : 0) - (shape.textareas > 0 ? 2 : 0);
};

const ratePoll: Rate = (facts, shape) => (shape.choices < 2 || shape.texts > 1 ? 0 : 1 + wordPoints(FORM_WORDS.poll, facts));

const rateCaptcha: Rate = (facts, shape) =>
  shape.texts > 1 || shape.passwords > 0 || shape.emails > 0 ? 0 : 1 + wordPoints(FORM_WORDS.captcha, facts);

/** In order of precedence where points are equal. */
const RATES: readonly (readonly [type: FormType, rate: Rate])[] = [
  ['login', rateLogin],
  ['registration', rateRegistration],
  ['password_reset', rateReset],
  ['search', rateSearch],
  ['comment', rateComment],
  ['contact', rateContact],
  ['newsletter', rateNewsletter],
  ['order', rateOrder],
  ['poll', ratePoll],
  ['captcha', rateCaptcha],
];
