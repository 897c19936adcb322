// Reads members of JSON that was written elsewhere: what is not of the wanted kind is not there.
import { isMembers } from '../value.ts';

/** What an import could not take, or took in another form: where it stood, and why. */
export interface LeftOut {
  /** `steps.3`, `entries.12`, `cookies.0`. */
  readonly path: string;
  readonly message: string;
}

/** A file that is not of the format that it is said to be; `message` says what is wrong. */
export class ExchangeError extends Error {}

type Members = Readonly<Record<string, unknown>>;

/** The JSON object in `text`. Throws ExchangeError. */
export function parseObject(text: string, what: string): Members {
  try {
    const value: unknown = JSON.parse(text);
    if (isMembers(value)) return value;
  } catch {
    throw new ExchangeError(`The file is no JSON, and ${what} is.`);
  }
  throw new ExchangeError(`The file is no JSON object, and ${what} is.`);
}

export function textIn(of: Members, name: string): string | undefined {
  const value = of[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(of: Members, name: string): number | undefined {
  const value = of[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function flagIn(of: Members, name: string): boolean | undefined {
  const value = of[name];
  return typeof value === 'boolean' ? value : undefined;
}

export function objectIn(of: Members, name: string): Members | undefined {
  const value = of[name];
  return isMembers(value) ? value : undefined;
}

/** The objects of a list; others in it are left out. */
export function objectsIn(of: Members, name: string): readonly Members[] {
  const value = of[name];
  return Array.isArray(value) ? value.filter(isMembers) : [];
}

/** The same text for the same JSON, in whatever order its members stand. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isMembers(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** `text` as a template that gives it back. */
export function literalTemplate(text: string): string {
  return text.replaceAll('{{', '{{"{{"}}');
}
