// The form of a page that asks who somebody is: its name, its password, its one-time code.
import type { Selectors } from '@weft/contract';
import { isTag } from 'domhandler';
import { PageError } from '../../errors.ts';
import { cssPathOf, readUniqueIds } from '../../html/selectors/css-path.ts';
import { elementsBelow } from '../../html/walk.ts';
import { findElements } from './find.ts';
import type { ReadPage } from './find.ts';
import { readForm } from './forms.ts';
import type { ReadForm } from './forms.ts';

/** Where its controls are, for a form that does not say so. */
export interface LoginAsk {
  readonly username?: Selectors | undefined;
  readonly password?: Selectors | undefined;
  readonly otp?: Selectors | undefined;
}

/** A form and the names of those of its controls that are there; of one without a name, which only a script sends, CSS that matches it first. */
export interface ReadLogin {
  readonly form: ReadForm;
  readonly username?: string;
  readonly password?: string;
  readonly otp?: string;
}

const NAMES = new Set(['username', 'email', 'username_or_email', 'openid', 'phone']);
const TYPED = 'input:not([type=hidden],[type=password],[type=submit])';
const CODE =
  /(?:^|[-_[])(?:otp|totp|mfa|2fa|tfa|twofactor|two[-_]factor|one[-_]?time|passcode|verification[-_]?code|auth[-_]?code|token|code)(?:$|[-_\]])/i;

/** The login of the page; undefined where it shows none. Throws PageError `selector` for selectors that find nothing. */
export function readLogin(ask: LoginAsk, page: ReadPage): ReadLogin | undefined {
  const given = { username: nameAt(ask.username, page), password: nameAt(ask.password, page), otp: nameAt(ask.otp, page) };
  const own = page.document.forms.find(({ fields }) => fields.some(({ type }) => type === 'password') || fields.some(isCode));
  const pointed = ask.password ?? ask.otp ?? ask.username;
  if (!own && !pointed) return undefined;
  const selectors = pointed ?? (own ? [own.selector] : undefined);
  const fields = own?.fields ?? [];
  const nameOf = (field: { readonly name: string } | undefined, place: string) => field && (field.name || `${own?.selector} ${place}`);
  const username =
    given.username ??
    nameOf(
      fields.find(({ type, control }) => NAMES.has(type) && control !== 'hidden'),
      TYPED,
    );
  const password =
    given.password ??
    nameOf(
      fields.find(({ type }) => type === 'password'),
      '[type=password]',
    );
  const otp = given.otp ?? nameOf(fields.find(isCode), TYPED);
  return {
    form: readForm({ selectors, names: [] }, page),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(otp === undefined ? {} : { otp }),
  };
}

function isCode({ name, control, label }: { readonly name: string; readonly control: string; readonly label?: string }): boolean {
  if (control === 'hidden' || control === 'password' || !/^(?:text|tel|number|search)$/.test(control)) return false;
  return CODE.test(name) || /one[- ]?time|authenticator|verification code|two[- ]factor/i.test(label ?? '');
}

function nameAt(selectors: Selectors | undefined, page: ReadPage): string | undefined {
  if (!selectors) return undefined;
  const node = findElements(selectors, page.document).found[0]?.node;
  if (!node || !isTag(node))
    throw new PageError('selector', `${page.document.source.url} has no such control of its login.`, { url: page.document.source.url });
  return node.attribs['name'] ?? cssPathOf(node, readUniqueIds([...elementsBelow(page.document.tree.root)]));
}
