// What is held against what: the two sides of a difference, in the form that was asked for. Pure.
import { AppError } from '@weft/contract';
import type { DiffForm } from '@weft/contract';
import { decodeBody, fittingComparison } from '@weft/engine';
import type { Comparison, Side } from '@weft/engine';

type Json = Extract<Comparison, { readonly kind: 'json' }>['old'];
type TextForm = Exclude<DiffForm, 'json' | 'items' | 'picture'>;

/** A content longer than this has more characters than are compared. */
const BODY_BYTES_MAX = 8_000_000;

/** Compares two values, unless `as` says how as fits what they are. Throws AppError `bad_request`. */
export function compareValues(old: Side, fresh: Side, form: Exclude<DiffForm, 'picture'> | undefined): Comparison {
  if (form === undefined) return fittingComparison(old, fresh);
  if (form === 'json') return { kind: 'json', old: old.value ?? null, new: fresh.value ?? null };
  return form === 'items' ? { kind: 'items', ...itemsOf(old.value, fresh.value) } : compareTexts(old.text, fresh.text, form);
}

/** Compares two bodies as their source text; `json` and `items` as what they say. `as` unless said: JSON as such, others line by line. */
export function compareBodies(old: Body, fresh: Body, as: Exclude<DiffForm, 'picture'> | undefined): Comparison {
  const form = as ?? ([old, fresh].every(({ contentType }) => /[/+]json\b/.test(contentType)) ? 'json' : 'line');
  if (form === 'json') return { kind: 'json', old: jsonOf(old), new: jsonOf(fresh) };
  return form === 'items' ? { kind: 'items', ...itemsOf(jsonOf(old), jsonOf(fresh)) } : compareTexts(textOf(old), textOf(fresh), form);
}

/** A body as it came. */
export interface Body {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

function compareTexts(old: string, fresh: string, form: TextForm): Comparison {
  if (form === 'word' || form === 'line') return { kind: 'text', unit: form, old, new: fresh };
  return { kind: form, old, new: fresh };
}

function itemsOf(old: Json | undefined, fresh: Json | undefined): { readonly old: readonly Json[]; readonly new: readonly Json[] } {
  const items = (value: Json | undefined, side: string): readonly Json[] => {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value as readonly Json[];
    throw new AppError('bad_request', `"as": "items" compares lists, and the ${side} side is none; take "json" or a text.`);
  };
  return { old: items(old, 'old'), new: items(fresh, 'new') };
}

function textOf({ bytes, contentType }: Body): string {
  if (bytes.byteLength > BODY_BYTES_MAX)
    throw new AppError('bad_request', `A body of ${bytes.byteLength} bytes is not compared, but at most ${BODY_BYTES_MAX}; download both.`);
  return decodeBody(bytes, contentType).html;
}

function jsonOf(body: Body): Json {
  try {
    return JSON.parse(textOf(body)) as Json;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('bad_request', 'A body is no JSON; compare it as "line" or "unified".');
  }
}
