// The words of a name that stay when a page's own data change.

const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];
const PRICE = /(?:\p{Sc}|\b[A-Z]{3})\s?\d[\d.,\s]*|\d[\d.,]*\s?(?:\p{Sc}|[A-Z]{3}\b)/gu;
let dateWords: ReadonlySet<string> | undefined;

/** Words in small letters, each once: numbers, prices, months and days of the week are left out. */
export function lastingWords(text: string): readonly string[] {
  const words = text
    .replaceAll(PRICE, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  dateWords ??= readDateWords();
  const known = dateWords;
  return [...new Set(words.filter((word) => word !== '' && !/\p{N}/u.test(word) && !known.has(word)))];
}

function readDateWords(): ReadonlySet<string> {
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, month + 1)));
  const formats = LOCALES.flatMap((locale) =>
    (['long', 'short'] as const).map((form) => new Intl.DateTimeFormat(locale, { month: form, weekday: form, timeZone: 'UTC' })),
  );
  const parts = formats.flatMap((format) => days.flatMap((day) => format.formatToParts(day)));
  return new Set(parts.filter(({ type }) => type !== 'literal').map(({ value }) => value.toLowerCase().replace(/\.$/, '')));
}
