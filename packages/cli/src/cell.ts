// Values as cells of a table, and as lines, for terminals.

const CHARACTERS = 40;

/** As much of a value as a cell takes. */
export function cellText(value: unknown): string {
  return lineText(value, CHARACTERS);
}

/** One line without control characters, cut after `max` characters. */
export function lineText(value: unknown, max: number): string {
  if (value === null || value === undefined) return '';
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)).replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}]+/gu,
    ' ',
  );
  return text.length > max ? `${text.slice(0, max - 1).toWellFormed()}\u2026` : text;
}
