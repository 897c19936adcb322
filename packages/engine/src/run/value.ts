// Values that a run works with: JSON, and texts with secrets in them that nobody has looked up yet.
import type { JsonValue } from '../html/loose-json.ts';
import { MASK } from '../mask/masker.ts';

/** Something that is only known at the moment of sending: a secret, a value of a persona, or its one-time code. */
export type SealedReference = { readonly kind: 'secret'; readonly key: string } | { readonly kind: 'persona'; readonly field: string };

/** A text whose sealed parts are looked up where it is sent, for the origin that it is sent to. */
export class SealedText {
  readonly parts: readonly (string | SealedReference)[];

  constructor(parts: readonly (string | SealedReference)[]) {
    this.parts = parts;
  }

  /** As it may be shown. */
  toString(): string {
    return this.parts.map((part) => (typeof part === 'string' ? part : MASK)).join('');
  }

  toJSON(): string {
    return this.toString();
  }
}

/** What a template gives: JSON, or a text with sealed parts; inside of lists and objects as well. */
export type RunValue = JsonValue | SealedText | readonly RunValue[] | { readonly [name: string]: RunValue };

/** True for an object that is neither list, null nor sealed. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof SealedText);
}

/** The member `name` of what has one of its own: an object's, or a list's by its place. Nothing is found on prototypes (F24). */
export function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    if (name === 'size') return value.length;
    return /^-?\d{1,9}$/.test(name) ? value.at(Number(name)) : undefined;
  }
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** An object without a prototype's names: what is set on it is data, whatever it is called. */
export function membersFrom<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  const made: Record<string, Value> = {};
  for (const [name, value] of entries) Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

/** A value as text: texts as they are, nothing for null and undefined, everything else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return value instanceof SealedText ? value.toString() : JSON.stringify(value);
}

/** True where something sealed is in a value, however deep. */
export function holdsSealed(value: unknown): boolean {
  if (value instanceof SealedText) return true;
  if (Array.isArray(value)) return value.some(holdsSealed);
  return isMembers(value) && Object.values(value).some(holdsSealed);
}
