// What the rows of a list are called.
import type { FoundList } from './read-evidence.ts';

const TITLES = ['title', 'name', 'headline', 'subject', 'label'];

/** The title of each row, or where the list has none its first text; rows without any are left out. */
export function titlesOf({ fields, rows }: FoundList): readonly string[] {
  const texts = fields.filter(({ type }) => type === 'text');
  const named = TITLES.map((name) => texts.find((field) => field.name === name)).find((field) => field !== undefined);
  const field = named ?? texts[0];
  if (!field) return [];
  return rows.flatMap((row) => {
    const value = row[field.name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}

/** What rows say in sentences: dates, places and names of others beside it are often not what a site is searched for. */
export function sentencesOf({ rows }: FoundList): readonly string[] {
  return rows.flatMap((row) => Object.values(row).flatMap((value) => (typeof value === 'string' && /\s.{40}/.test(value) ? [value] : [])));
}

/** True for a list whose rows say something: most have a text of their own of some length. */
export function isTelling(list: FoundList): boolean {
  const titles = list.fields
    .filter(({ type }) => type === 'text')
    .flatMap((field) => {
      const values = list.rows.flatMap((row) => (typeof row[field.name] === 'string' ? [String(row[field.name])] : []));
      const distinct = new Set(values);
      const chars = values.reduce((sum, value) => sum + value.length, 0) / (values.length || 1);
      return distinct.size >= list.rows.length / 2 && chars >= CHARS_MIN ? [field.name] : [];
    });
  return titles.length > 0;
}

const CHARS_MIN = 4;
