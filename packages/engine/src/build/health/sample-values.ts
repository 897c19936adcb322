// What the rows of a function held when it was built, looked for where they no longer are. Pure.
import { identifierOf } from '../draft.ts';
import type { BuiltFunction } from '../functions/built-function.ts';
import { fold } from '../evidence/words.ts';
import { textsOf } from '../proof/measure.ts';
import type { Row } from '../../run/reading/rows.ts';

/** Values of a sample that tell something: shorter ones stand on any page. */
const CHARACTERS_MIN = 3;
/** So many of the values must be there: some rows have gone since. */
const SHOWN_MIN = 0.5;

/** The texts of `rows`; of one field where one is named. Absolute addresses are left out, which pages do not show. */
export function valuesOf(rows: readonly Row[], field?: string): readonly string[] {
  const texts = rows.flatMap((row) => textsOf(field === undefined ? row : row[field]));
  return texts.filter((text) => text.trim().length >= CHARACTERS_MIN && !/^https?:/.test(text));
}

/** Whether half of `values` stand in `text`, or half of the forms that they have, where digits may be others: prices change. */
export function isStillShown(values: readonly string[], text: string): boolean {
  return isMostlyIn(values.map(plain), plain(text)) || isMostlyIn(values.filter((value) => /\d/.test(value)).map(formOf), formOf(text));
}

/** The names that `built` has for fields as its reading names them. */
export function draftNamesOf(
  fields: readonly string[],
  { draft, candidate }: Pick<BuiltFunction, 'draft' | 'candidate'>,
): readonly string[] {
  const { fields: known, reading } = candidate;
  const nameOf = (field: (typeof known)[number]) => (reading.from === 'html' ? identifierOf(field.name) : field.id.toLowerCase());
  const ids = new Map(known.map((field) => [nameOf(field), field.id]));
  return fields.flatMap((name) => draft.fields.find(({ field_id: id }) => id === ids.get(name))?.name ?? []);
}

function isMostlyIn(values: readonly string[], text: string): boolean {
  return values.length > 0 && values.filter((value) => text.includes(value)).length >= values.length * SHOWN_MIN;
}

function plain(text: string): string {
  return fold(text).replaceAll(/\s+/g, ' ').trim();
}

function formOf(text: string): string {
  return plain(text).replaceAll(/\d+/g, '0');
}
