// Holds the rows of a function against what an application itself knows: which cells are right, and which of the facts that were wanted came.
import type { Facts } from '../bench/apps/api-app.ts';

/** Counts of cells and facts. */
export interface ApiScore {
  /** Cells of all rows that hold something, and how many of them the application says of the row's own thing. */
  readonly cells: number;
  readonly right: number;
  /** Facts that were wanted, and how many of them came, each in one column. */
  readonly wanted: number;
  readonly found: number;
  /** Facts that were wanted of the things that came; all of them of a row that is none. */
  readonly offered: number;
  /** Rows, and how many of them are one of the things that were to come, each counted once. */
  readonly rows: number;
  readonly matched: number;
  /** Columns in which a cell is not right, each with one of these. */
  readonly wrong: Readonly<Record<string, string>>;
}

type Row = Readonly<Record<string, unknown>>;

/** A text within a longer one counts from so many characters on. */
const PART_MIN = 3;

/**
 * Scores `rows` against `truth`. A row is matched by one of `keys`. A cell is right where it is a fact of its thing, a part of one, or holds one
 * within a label; addresses that lead elsewhere are neither right nor wrong, for no application tells where its pages link. A fact has come
 * where the column that says it most often says it in its row, alone or with up to three words beside it, or says its beginning.
 */
export function scoreRows(rows: readonly Row[], truth: readonly Facts[], keys: readonly string[], wanted: readonly string[]): ApiScore {
  const pairs = matchRows(rows, truth, keys);
  const wrong: Record<string, string> = {};
  let cells = 0;
  let right = 0;
  for (const row of rows) {
    const facts = Object.values(pairs.get(row) ?? {});
    for (const [column, value] of Object.entries(row)) {
      for (const texts of cellsOf(value)) {
        if (texts.every(isAddress) && !facts.some((fact) => texts.some((text) => isSame(text, fact)))) continue;
        cells += 1;
        if (facts.some((fact) => texts.some((text) => isSame(text, fact) || isPart(text, fact)))) right += 1;
        else wrong[column] ??= texts[0] ?? '';
      }
    }
  }
  const things = truth.flatMap((thing) => wanted.filter((name) => isTold(thing[name])));
  const told = [...pairs.values()].reduce((sum, thing) => sum + wanted.filter((name) => isTold(thing[name])).length, 0);
  const offered = told + (rows.length - pairs.size) * wanted.length;
  return { cells, right, wanted: things.length, found: countFound(pairs, wanted), offered, rows: rows.length, matched: pairs.size, wrong };
}

/** Each row with the thing that it is: one of its cells is a key of it. */
function matchRows(rows: readonly Row[], truth: readonly Facts[], keys: readonly string[]): ReadonlyMap<Row, Facts> {
  const left = new Set(truth);
  const pairs = new Map<Row, Facts>();
  for (const isStrict of [true, false]) {
    for (const row of rows) {
      if (pairs.has(row)) continue;
      const texts = Object.values(row).flatMap(cellsOf).flat();
      const is = (thing: Facts) =>
        keys.some((key) => isTold(thing[key]) && texts.some((text) => isSame(text, thing[key]) || (!isStrict && isSaid(text, thing[key]))));
      const thing = [...left].find(is);
      if (!thing) continue;
      left.delete(thing);
      pairs.set(row, thing);
    }
  }
  return pairs;
}

function countFound(pairs: ReadonlyMap<Row, Facts>, wanted: readonly string[]): number {
  return wanted.reduce((sum, name) => {
    const counts = new Map<string, number>();
    for (const [row, thing] of pairs) {
      const fact = thing[name];
      if (!isTold(fact)) continue;
      for (const [column, value] of Object.entries(row))
        if (cellsOf(value).some((texts) => texts.some((text) => isSame(text, fact) || isSaid(text, fact))))
          counts.set(column, (counts.get(column) ?? 0) + 1);
    }
    return sum + Math.max(0, ...counts.values());
  }, 0);
}

/** The things that a value holds, each with the texts that say it: one of a plain value, one of an object with an amount, all of a list. */
function cellsOf(value: unknown): readonly (readonly string[])[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value)) return value.flatMap(cellsOf);
  if (typeof value !== 'object') return [[String(value)]];
  return [
    Object.values(value)
      .filter((each) => typeof each === 'string' || typeof each === 'number')
      .map(String),
  ];
}

function isTold(fact: Facts[string] | undefined): fact is string | number {
  return fact !== undefined && fact !== null && fact !== '';
}

function isSame(text: string, fact: Facts[string] | undefined): boolean {
  if (!isTold(fact)) return false;
  const [a, b] = [plain(text), plain(String(fact))];
  if (a === b) return true;
  if (typeof fact === 'number' || /^-?[\d.]+$/.test(b)) return /^[^\p{L}\d]*[\d.,\s]+[^\p{L}\d]*$/u.test(a) && numberOf(a) === Number(fact);
  if (/^\d{4}-\d\d-\d\d/.test(b)) return dayOf(text) === b.slice(0, 10);
  return b.startsWith('/') && pathOf(text) === pathOf(`http://h${String(fact)}`);
}

/** The fact among words of a label, or its beginning. */
function isSaid(text: string, fact: Facts[string] | undefined): boolean {
  if (!isTold(fact)) return false;
  const [a, b] = [plain(text), plain(String(fact))];
  if (b.length >= 20 && a.length >= 20 && (b.startsWith(a.slice(0, 60)) || (b.includes(a.replace(/\W+$/, '')) && a.length >= 40)))
    return true;
  return b.length >= PART_MIN && holds(a, b) && a.split(' ').length <= b.split(' ').length + 3;
}

function isPart(text: string, fact: Facts[string] | undefined): boolean {
  if (!isTold(fact)) return false;
  const b = plain(String(fact));
  // An excerpt leaves out what stands between its pieces, and may cut words.
  const pieces = plain(text)
    .split(/\.{3}|…/)
    .map((piece) => piece.replace(/^[\s.]+|[\s.]+$/g, ''));
  const whole =
    pieces.length === 1 ? pieces : pieces.map((piece) => piece.split(' ').slice(1, -1).join(' ')).filter((piece) => piece !== '');
  if (whole.length > 0 && whole.every((a) => a.length >= PART_MIN && holds(b, a))) return true;
  return b.length >= PART_MIN && holds(plain(text), b);
}

function holds(whole: string, part: string): boolean {
  return ` ${whole.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${part.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `);
}

function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text);
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

function numberOf(text: string): number {
  return Number(text.replaceAll(/[^\d.-]/g, ''));
}

function dayOf(text: string): string | undefined {
  const time = Date.parse(/^\d{4}-\d\d-\d\d/.test(text) ? text : text.replaceAll(/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g, '$3-$1-$2'));
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}

function pathOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url ? decodeURIComponent(url.pathname + url.search + url.hash) : undefined;
}
