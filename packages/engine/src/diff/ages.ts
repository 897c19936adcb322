// Tells whether two readings differ only by how long ago things are said to be: "2 minutes ago", an hour later "1 hour ago".

const UNITS: readonly (readonly [words: string, seconds: number])[] = [
  ['seconds?|secs?|s|sekunden?|secondes?|segundos?', 1],
  ['minutes?|mins?|m|minuten?|minutos?', 60],
  ['hours?|hrs?|h|stunden?|heures?|horas?', 3_600],
  ['days?|d|tag(?:en?)?|jours?|días?', 86_400],
  ['weeks?|w|wochen?|semaines?|semanas?', 604_800],
  ['months?|mo|monat(?:en?)?|mois|mes(?:es)?', 2_629_800],
  ['years?|yr?s?|jahr(?:en?)?|ans?|años?', 31_557_600],
];
const SPAN = `(?:\\d+|an?|one|a few|few|ein(?:er|em)?|une?|una)\\s*(?:${UNITS.map(([words]) => words).join('|')})(?!\\p{L})`;
/** "2 hours, 5 minutes ago", "about an hour ago", "vor 3 Tagen", "il y a 2 heures", "hace un mes"; and the words for less than that. */
const AGE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:(?:about|almost|around|over|less than)\\s+)?${SPAN}(?:(?:,|\\s+and)?\\s+${SPAN})?\\s+ago|(?:vor|il y a|hace)\\s+${SPAN}|just now|moments? ago|yesterday)(?![\\p{L}\\p{N}])`,
  'giu',
);
const PART = new RegExp(SPAN, 'giu');
const UNIT = UNITS.map(([words, seconds]) => [new RegExp(`(?<!\\p{L})(?:${words})$`, 'iu'), seconds] as const);
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
  return (age.match(PART) ?? []).reduce((sum, part) => {
    const unit = UNIT.find(([words]) => words.test(part));
    return sum + Number(/\d+/.exec(part)?.[0] ?? 1) * (unit?.[1] ?? 0);
  }, 0);
}
