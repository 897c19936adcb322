// Tells whether two readings differ only by how long ago things are said to be: "2 minutes ago", an hour later "1 hour ago".
import { secondsOfUnit } from '../records/name/values.ts';

const UNITS = [
  'seconds?|secs?|s|sekunden?|secondes?|segundos?',
  'minutes?|mins?|m|minuten?|minutos?',
  'hours?|hrs?|h|stunden?|heures?|horas?',
  'days?|d|tag(?:en?)?|jours?|días?',
  'weeks?|w|wochen?|semaines?|semanas?',
  'months?|mo|monat(?:en?)?|mois|mes(?:es)?',
  'years?|yr?s?|jahr(?:en?)?|ans?|años?',
].join('|');
const NUMBER = '(?:\\d+|an?|one|a few|few|ein(?:er|em)?|une?|una)';
const SPAN = `${NUMBER}\\s*(?:${UNITS})(?!\\p{L})`;
/** "2 hours, 5 minutes ago", "about an hour ago", "vor 3 Tagen", "il y a 2 heures", "hace un mes"; and the words for less than that. */
const AGE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:(?:about|almost|around|over|less than)\\s+)?${SPAN}(?:(?:,|\\s+and)?\\s+${SPAN})?\\s+ago|(?:vor|il y a|hace)\\s+${SPAN}|just now|moments? ago|yesterday)(?![\\p{L}\\p{N}])`,
  'giu',
);
const PART = new RegExp(`(${NUMBER})\\s*(${UNITS})(?!\\p{L})`, 'giu');
const YESTERDAY_SECONDS = 86_400;

/** True where `newer` is `older` with time gone by: equal but for ages, none of which is less than it was. Plain JSON. */
export function isOnlyOlder(older: unknown, newer: unknown): boolean {
  if (typeof older === 'string' && typeof newer === 'string') return older === newer || isTextOlder(older, newer);
  if (typeof older !== 'object' || typeof newer !== 'object' || older === null || newer === null) return Object.is(older, newer);
  if (Array.isArray(older) !== Array.isArray(newer)) return false;
  const names = Object.keys(older);
  if (names.length !== Object.keys(newer).length) return false;
  return names.every((name) => Object.hasOwn(newer, name) && isMemberOlder(name, memberOf(older, name), memberOf(newer, name)));
}

/** What a list says of a date is its age in seconds beside the words. */
function isMemberOlder(name: string, older: unknown, newer: unknown): boolean {
  const isAge = name === 'secondsAgo' && typeof older === 'number' && typeof newer === 'number';
  return isAge ? newer >= older : isOnlyOlder(older, newer);
}

function memberOf(object: object, name: string): unknown {
  return (object as Readonly<Record<string, unknown>>)[name];
}

function isTextOlder(older: string, newer: string): boolean {
  if (older.replaceAll(AGE, '\u0000') !== newer.replaceAll(AGE, '\u0000')) return false;
  const before = agesIn(older);
  const after = agesIn(newer);
  return before.length === after.length && before.every((age, i) => age <= (after[i] as number));
}

function agesIn(text: string): readonly number[] {
  return (text.match(AGE) ?? []).map(secondsOf);
}

function secondsOf(age: string): number {
  if (/^yesterday$/i.test(age)) return YESTERDAY_SECONDS;
  return [...age.matchAll(PART)].reduce(
    (sum, [, number = '', unit = '']) => sum + (/^\d/.test(number) ? Number(number) : 1) * (secondsOfUnit(unit) ?? 0),
    0,
  );
}
