// Tells from the markup of a link that following it would change something.
import { actOfWord, plainWord } from '../../url/act-words.ts';
import { findCommandWord, isNamedAfter, isText } from '../../url/acts.ts';

/** What an anchor says beside its address. */
export interface LinkMarkup {
  /** Why an attribute says that the link acts. */
  readonly rule: string | undefined;
  /** What stands in it, where that may be a command. */
  readonly label: string | undefined;
  readonly isNoFollow: boolean;
}

/** Attributes that make a link send something else than GET: Rails UJS and Yii, Turbo, PrestaShop; the value says what. */
const METHODS: ReadonlySet<string> = new Set(['data-method', 'data-turbo-method', 'data-http-method']);
/** htmx sends the method that the attribute is called after. */
const SENDERS: ReadonlySet<string> = new Set(['hx-post', 'hx-put', 'hx-patch', 'hx-delete']);
/** Attributes that ask first whether it is meant. */
const QUESTIONS: ReadonlySet<string> = new Set(['data-confirm', 'data-turbo-confirm', 'hx-confirm']);
const LABEL_CHARS_MAX = 40;

/** Whether an attribute's name may be one that `actOfAttribute` knows; cheap, since every attribute of every anchor is asked about. */
export function mayTellOfAct(firstByte: number, length: number): boolean {
  return length < 19 && (firstByte === 100 || firstByte === 104 || firstByte === 111);
}

/** Why this attribute says that its link acts, or undefined. */
export function actOfAttribute(name: string, value: () => string): string | undefined {
  if (METHODS.has(name)) {
    const method = value().trim().toLowerCase();
    return /^(?:post|put|patch|delete)$/.test(method) ? `${name}="${method}"` : undefined;
  }
  if (SENDERS.has(name) || QUESTIONS.has(name)) return name;
  return name === 'onclick' && /\bconfirm\s*\(/.test(value()) ? 'onclick asks for confirmation' : undefined;
}

/**
 * Why the link to `url` acts: an attribute says so; its whole label says "sign out", where the address is not called after it; or it is
 * `nofollow` and its label or the last part of its address is a command. Titles of texts are none.
 */
export function actOfMarkup(url: string, { rule, label = '', isNoFollow }: LinkMarkup): string | undefined {
  if (rule !== undefined) return rule;
  const word = label.length > LABEL_CHARS_MAX ? '' : plainWord(label);
  const kind = word === '' ? undefined : actOfWord(word);
  const isCommand = (kind === 'sign out' || (isNoFollow && kind !== undefined)) && !isHome(url) && !isText(url) && !isNamedAfter(url, word);
  if (isCommand) return `${kind}: "${label.trim()}"`;
  const command = isNoFollow ? findCommandWord(url) : undefined;
  return command === undefined ? undefined : `nofollow: /${command}`;
}

/** Scripts hang their commands on links to the home page. */
function isHome(url: string): boolean {
  return /^[^/]*\/\/[^/]*\/?$/.test(url);
}
