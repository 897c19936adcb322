// Finds what two sequences of tokens have in common, in bounded time: exactly where that is cheap, by rare tokens where it is not.
import { diffArrays } from 'diff';
import { longestRise } from './rise.ts';

/** A run of tokens that both sequences have. */
export interface Match {
  readonly old: number;
  readonly new: number;
  readonly count: number;
}

export interface Alignment {
  /** In the order of both sequences; two neighbours never touch on both sides. */
  readonly matches: readonly Match[];
  /** False where a limit was reached: what matches is right, and more could match. */
  readonly exact: boolean;
}

/** What an inexact alignment says of itself. */
export const INEXACT = 'The two differ in so much that they were compared in parts, between what is there only once in each.';

/**
 * How many tokens may be added and removed before the search for the fewest is given up: the time of Myers' algorithm (1986) grows with
 * the square of it, and `npm run bench -- diff` says what this costs at most.
 */
const EDITS_MAX = 2_000;
/** The same for a part between two rare windows, of which there can be many. */
const PART_EDITS_MAX = 200;
/** How many parts may turn out to differ in more than that, before no further part is searched: each costs milliseconds. */
const PARTS_GIVEN_UP_MAX = 200;
/** What divides two sequences that differ in too much: windows of as many tokens, and within a part shorter ones. */
const WINDOWS = [8, 4, 2, 1];

/** More names than there are tokens; the pair of two names stays an exact integer. */
const NAMES_MAX = 2 ** 26;

/** Both ends of both sequences: `[oldStart, oldEnd)` and `[newStart, newEnd)`. */
interface Span {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** A token that is there once in either sequence, and where. */
interface Pair {
  readonly old: number;
  readonly new: number;
}

/** What two sequences have in common. The same two, exchanged, have the same in common. */
export function alignSequences(old: readonly (string | number)[], fresh: readonly (string | number)[]): Alignment {
  const whole = { oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length };
  const first = commonPrefix(old, fresh, whole);
  const [a, b] = [old[first], fresh[first]];
  // Of several alignments that are as good one is found: always the same, whichever sequence is the old one.
  if (a !== undefined && b !== undefined && a > b) {
    const { matches, exact } = new Aligner(fresh, old).align();
    return { matches: matches.map((match) => ({ old: match.new, new: match.old, count: match.count })), exact };
  }
  return new Aligner(old, fresh).align();
}

class Aligner {
  private readonly old: readonly number[];
  private readonly fresh: readonly number[];
  private readonly matches: { old: number; new: number; count: number }[] = [];
  private isExact = true;
  private partsGivenUp = 0;

  constructor(old: readonly (string | number)[], fresh: readonly (string | number)[]) {
    const names = new Map<string | number, number>();
    const nameOf = (token: string | number) => {
      const known = names.get(token);
      if (known !== undefined) return known;
      names.set(token, names.size);
      return names.size - 1;
    };
    this.old = old.map(nameOf);
    this.fresh = fresh.map(nameOf);
  }

  align(): Alignment {
    const whole = { oldStart: 0, oldEnd: this.old.length, newStart: 0, newEnd: this.fresh.length };
    this.alignSpan(whole, EDITS_MAX, WINDOWS);
    return { matches: this.matches, exact: this.isExact };
  }

  /** Matches come in order, so that a run goes on where the one before ended. */
  private match(old: number, fresh: number, count: number): void {
    if (count === 0) return;
    const last = this.matches.at(-1);
    if (last && last.old + last.count === old && last.new + last.count === fresh) last.count += count;
    else this.matches.push({ old, new: fresh, count });
  }

  private alignSpan(span: Span, editsMax: number, windows: readonly number[]): void {
    const prefix = commonPrefix(this.old, this.fresh, span);
    const suffix = commonSuffix(this.old, this.fresh, span, prefix);
    const inner: Span = {
      oldStart: span.oldStart + prefix,
      oldEnd: span.oldEnd - suffix,
      newStart: span.newStart + prefix,
      newEnd: span.newEnd - suffix,
    };
    this.match(span.oldStart, span.newStart, prefix);
    if (!this.alignShared(inner, editsMax)) this.divide(inner, windows);
    this.match(inner.oldEnd, inner.newEnd, suffix);
  }

  /** Aligns what can match at all; a token that only one side has never does, and leaving it out changes no answer. False: too much differs. */
  private alignShared(span: Span, editsMax: number): boolean {
    const [inOld, inNew] = [new Set(this.old.slice(span.oldStart, span.oldEnd)), new Set(this.fresh.slice(span.newStart, span.newEnd))];
    const oldPlaces = placesOf(this.old, span.oldStart, span.oldEnd, inNew);
    const newPlaces = placesOf(this.fresh, span.newStart, span.newEnd, inOld);
    if (oldPlaces.length === 0 || newPlaces.length === 0) return true;
    const tokensOf = (tokens: readonly number[], places: readonly number[]) => places.map((place) => tokens[place] ?? -1);
    const changes = diffArrays(tokensOf(this.old, oldPlaces), tokensOf(this.fresh, newPlaces), { maxEditLength: editsMax });
    if (!changes) return false;
    let [i, j] = [0, 0];
    for (const { added, removed, count } of changes) {
      if (!added && !removed) for (let k = 0; k < count; k++) this.match(oldPlaces[i + k] ?? 0, newPlaces[j + k] ?? 0, 1);
      if (!added) i += count;
      if (!removed) j += count;
    }
    return true;
  }

  /** Divides where a window of tokens is there once on either side and kept its order, as patience diff (Bram Cohen) does with lines. */
  private divide(span: Span, [window, ...shorter]: readonly number[]): void {
    this.isExact = false;
    if (window === undefined) return;
    const editsMax = ++this.partsGivenUp > PARTS_GIVEN_UP_MAX ? 0 : PART_EDITS_MAX;
    let { oldStart, newStart } = span;
    for (const { old, new: fresh } of this.rareInOrder(span, window)) {
      this.alignSpan({ oldStart, oldEnd: old, newStart, newEnd: fresh }, editsMax, shorter);
      // The rest of the window is the beginning of the next part.
      this.match(old, fresh, 1);
      [oldStart, newStart] = [old + 1, fresh + 1];
    }
    this.alignSpan({ ...span, oldStart, newStart }, editsMax, shorter);
  }

  private rareInOrder(span: Span, window: number): Pair[] {
    const sides = [this.old.slice(span.oldStart, span.oldEnd), this.fresh.slice(span.newStart, span.newEnd)];
    const [inOld = new Map(), inNew = new Map()] = windowsOf(sides, window).map(singles);
    const pairs = [...inOld].flatMap(([token, old]): Pair[] => {
      const fresh = inNew.get(token);
      return old < 0 || fresh === undefined || fresh < 0 ? [] : [{ old: span.oldStart + old, new: span.newStart + fresh }];
    });
    pairs.sort((a, b) => a.old - b.old);
    return longestRise(pairs.map((pair) => pair.new)).flatMap((place) => pairs[place] ?? []);
  }
}

/** Where each token stands; -1 for one that is there more often. */
function singles(tokens: readonly number[]): Map<number, number> {
  const places = new Map<number, number>();
  tokens.forEach((token, place) => places.set(token, places.has(token) ? -1 : place));
  return places;
}

/** A name for each window of `length` tokens, a power of two, of each side: equal windows have the same. Found by doubling. */
function windowsOf(sides: readonly (readonly number[])[], length: number): readonly (readonly number[])[] {
  let windows = sides;
  for (let half = 1; half < length; half *= 2) {
    const names = new Map<number, number>();
    windows = windows.map((halves) =>
      halves.slice(0, -half).map((name, place) => {
        const pair = name * NAMES_MAX + (halves[place + half] ?? 0);
        const known = names.get(pair) ?? names.size;
        names.set(pair, known);
        return known;
      }),
    );
  }
  return windows;
}

function placesOf(tokens: readonly number[], start: number, end: number, wanted: ReadonlySet<number>): number[] {
  const places: number[] = [];
  for (let place = start; place < end; place++) if (wanted.has(tokens[place] ?? -1)) places.push(place);
  return places;
}

function commonPrefix<Token>(old: readonly Token[], fresh: readonly Token[], span: Span): number {
  const most = Math.min(span.oldEnd - span.oldStart, span.newEnd - span.newStart);
  let count = 0;
  while (count < most && old[span.oldStart + count] === fresh[span.newStart + count]) count++;
  return count;
}

function commonSuffix<Token>(old: readonly Token[], fresh: readonly Token[], span: Span, prefix: number): number {
  const most = Math.min(span.oldEnd - span.oldStart, span.newEnd - span.newStart) - prefix;
  let count = 0;
  while (count < most && old[span.oldEnd - 1 - count] === fresh[span.newEnd - 1 - count]) count++;
  return count;
}
