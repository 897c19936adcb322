// Secrets in what a monitor sends: `{{secret:KEY}}`, as workflows name them, put in at the moment of sending (D34).
import { PageError } from '../errors.ts';
import type { FetchRequest } from '../ports.ts';

type Sent = Pick<FetchRequest, 'headers' | 'body'>;

/** A request with everything in it, what was put in, and how it goes no further than to its origin. */
export interface FilledRequest {
  readonly request: Sent & Pick<FetchRequest, 'beforeRedirect'>;
  readonly secrets: readonly string[];
}

const REFERENCE = /\{\{\s*secret\s*:\s*([\w.-]{1,200})\s*\}\}/g;
const BEGINNING = /\{\{\s*secret\b/g;

/** The keys of the secrets that a text names. */
export function secretsNamedIn(text: string): readonly string[] {
  return [...text.matchAll(REFERENCE)].map(([, key = '']) => key);
}

/** What is wrong with the references of a text, to stand behind its name; undefined where nothing is. */
export function faultOfSecrets(text: string): string | undefined {
  if ([...text.matchAll(BEGINNING)].length === secretsNamedIn(text).length) return undefined;
  return 'names a secret in a way that is none; write {{secret:KEY}}, where KEY has letters, digits, "_", "." and "-"';
}

/** `sent` with its secrets, for `origin`. Throws what `secretFor` does. */
export function fillIn({ headers, body }: Sent, origin: string, secretFor: (key: string, origin: string) => string): FilledRequest {
  const secrets: string[] = [];
  const fill = (text: string) =>
    text.replace(REFERENCE, (_whole, key: string) => {
      const value = secretFor(key, origin);
      secrets.push(value);
      return value;
    });
  const filled = {
    ...(headers ? { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])) } : {}),
    ...(body ? { body: filledBody(body, fill) } : {}),
  };
  const beforeRedirect = async (url: string) => requireOrigin(url, origin);
  return { request: secrets.length === 0 ? filled : { ...filled, beforeRedirect }, secrets };
}

function filledBody(body: Uint8Array, fill: (text: string) => string): Uint8Array {
  return new TextEncoder().encode(fill(new TextDecoder().decode(body)));
}

function requireOrigin(url: string, origin: string): void {
  const to = URL.parse(url)?.origin ?? 'another place';
  if (to !== origin)
    throw new PageError('address', `${origin} redirects to ${to}, and the secret that was sent is for ${origin} alone.`, { url });
}
