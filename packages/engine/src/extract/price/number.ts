// Reads a number as shops of all countries write it: which mark groups, which mark is decimal.

/** A written number that a text holds: digits with marks between them, blanks only before a group of three. */
export const NUMBER_SOURCE = String.raw`(?:(?<![\d\p{L}])\.(?=\d\d?(?![.,]?\d)))?\d+(?:(?:[.,:'’·]|[ \u00a0\u202f\u2009](?=\d{3}(?!\d)))\d+)*`;

/** The decimal string (`1299.5`) that `written` means; undefined for dates, versions and other strings of digits. */
export function decimalOf(written: string, minorDigits: number): string | undefined {
  const text = written.replace(/[ \u00a0\u202f\u2009'’]/g, "'");
  const groups = text.split(/[.,:·']/);
  const marks = [...text.replace(/\d/g, '')];
  const last = marks.at(-1);
  if (text.startsWith('.')) return `0${text}`;
  if (last === undefined) return plain(text, '');
  const decimal = isDecimalMark(marks, groups, minorDigits);
  const whole = decimal ? groups.slice(0, -1) : groups;
  const groupMarks = decimal ? marks.slice(0, -1) : marks;
  if (!isGrouped(whole, groupMarks)) return undefined;
  return plain(whole.join(''), decimal ? (groups.at(-1) as string) : '');
}

/** Digits as ASCII: full-width, Arabic, Persian and Devanagari ones and their marks included; the length stays. */
export function asciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19\u066b\u066c\uff0c\uff0e]/g, (char) => {
    const mark = MARKS[char];
    if (mark !== undefined) return mark;
    const code = char.charCodeAt(0);
    const zero = [0x660, 0x6f0, 0x966, 0xff10].find((start) => code >= start && code <= start + 9) as number;
    return String(code - zero);
  });
}

const MARKS: Readonly<Record<string, string>> = { '\u066b': '.', '\u066c': ',', '\uff0c': ',', '\uff0e': '.' };

/** Whether the last mark is decimal: another kind than those before it, or alone before a number of digits that no group has. */
function isDecimalMark(marks: readonly string[], groups: readonly string[], minorDigits: number): boolean {
  const last = marks.at(-1) as string;
  const tail = (groups.at(-1) as string).length;
  if (last === "'") return false;
  if (last === ':' || last === '·') return marks.indexOf(last) === marks.length - 1 && tail === 2;
  if (marks.length > 1) return !marks.slice(0, -1).includes(last);
  if (tail !== 3) return true;
  const first = groups[0] as string;
  // Three digits are a group, unless the currency has three minor digits or nothing could be grouped: `0.999`.
  return minorDigits === 3 || first.startsWith('0') || first.length > 3;
}

/** Groups of three behind one mark, or the Indian form: groups of two and a last one of three. */
function isGrouped(groups: readonly string[], marks: readonly string[]): boolean {
  if (groups.length === 1) return true;
  if (new Set(marks).size > 1 || (groups[0] as string).length > 3) return false;
  const inner = groups.slice(1, -1);
  if (groups.at(-1)?.length !== 3) return false;
  return inner.every((group) => group.length === 3) || (marks[0] === ',' && inner.every((group) => group.length === 2));
}

function plain(whole: string, fraction: string): string {
  const trimmed = whole.replace(/^0+(?=\d)/, '');
  return fraction === '' ? trimmed : `${trimmed}.${fraction}`;
}
