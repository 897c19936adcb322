// Comma-separated values (RFC 4180) of what is small enough to be held.

/** What a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows below a heading. A text that a spreadsheet would execute gets an apostrophe before it. */
export function csv(heading: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [heading, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
