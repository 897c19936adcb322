// Finds the pieces of a page's truth in an output, each in a place of its own, so that equal pieces count each.
import type { PageTruth, Piece, Unit, UnitKind } from './truth.ts';
import { UNIT_KINDS, squeeze } from './truth.ts';

/** What one output keeps of one page. */
export interface Coverage {
  readonly units: Readonly<Record<UnitKind, { readonly all: number; readonly lost: number }>>;
  /** Words of text outside of the content that the output has, and all words that it has. */
  readonly chromeWords: number;
  readonly outputWords: number;
  /** The texts of lost units, for looking at. */
  readonly lostTexts: readonly string[];
}

/** Pieces this long that the output has once are found first, and bound where the others may be. */
const ANCHOR_CHARS = 40;
/** The others follow by length: a cell that says `R` would else take its letter out of the next word, and that would count as lost. */
const SHORTER_CHARS: readonly number[] = [16, 6, 3, 1];

/** Holds an output against the truth. A unit is lost when any piece of it is not there. */
export function coverageOf({ inside, outside }: PageTruth, output: string): Coverage {
  const ground = new Ground(squeeze(output));
  const places = inside.map((piece) =>
    piece.text.length >= ANCHOR_CHARS && ground.hasOnce(piece.text) ? ground.takeInOrder(piece.text) : undefined,
  );
  for (const least of SHORTER_CHARS) {
    const ends = endsOf(places, ground.length);
    let from = 0;
    inside.forEach(({ text }, i) => {
      if (text.length >= least) places[i] ??= ground.takeWithin(text, from, ends[i] as number);
      const place = places[i];
      if (place !== undefined) from = Math.max(from, place + text.length);
    });
  }
  inside.forEach((piece, i) => (places[i] ??= ground.takeWithin(piece.text, 0, ground.length)));
  const chromeWords = outside.reduce(
    (sum, piece) => sum + (piece.text.length > 2 && ground.takeWithin(piece.text, 0, ground.length) !== undefined ? piece.words : 0),
    0,
  );
  const isFound = places.map((place) => place !== undefined);
  return { ...unitsOf(inside, isFound), chromeWords, outputWords: output.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0 };
}

/** By piece, where the next one after it begins that was found. */
function endsOf(places: readonly (number | undefined)[], length: number): readonly number[] {
  const ends: number[] = [];
  let next = length;
  for (let i = places.length - 1; i >= 0; i--) {
    ends[i] = next;
    next = Math.min(next, places[i] ?? next);
  }
  return ends;
}

function unitsOf(inside: readonly Piece[], isFound: readonly boolean[]): Pick<Coverage, 'units' | 'lostTexts'> {
  const units = new Map<Unit, { isLost: boolean; text: string }>();
  inside.forEach(({ unit, text }, i) => {
    if (!unit) return;
    const seen = units.get(unit) ?? { isLost: false, text: '' };
    units.set(unit, { isLost: seen.isLost || !isFound[i], text: isFound[i] ? seen.text : `${seen.text} ${text}` });
  });
  const counts = Object.fromEntries(UNIT_KINDS.map((kind) => [kind, { all: 0, lost: 0 }])) as Record<
    UnitKind,
    { all: number; lost: number }
  >;
  const lostTexts: string[] = [];
  for (const [{ kind }, { isLost, text }] of units) {
    counts[kind].all++;
    if (!isLost) continue;
    counts[kind].lost++;
    lostTexts.push(`${kind}:${text}`);
  }
  return { units: counts, lostTexts };
}

/** An output in which every stretch is given away once: two bytes a letter, so that a place is half an offset. */
class Ground {
  private readonly text: Buffer;
  private last = 0;

  constructor(text: string) {
    this.text = Buffer.from(text, 'utf16le');
  }

  get length(): number {
    return this.text.length / 2;
  }

  /** Whether the piece stands in one place alone; what was given away is none. */
  hasOnce(piece: string): boolean {
    const at = this.text.indexOf(piece, 0, 'utf16le');
    return at >= 0 && this.text.indexOf(piece, at + 2, 'utf16le') < 0;
  }

  /** Behind what was taken last, else anywhere. */
  takeInOrder(piece: string): number | undefined {
    const place = this.takeWithin(piece, this.last, this.length) ?? this.takeWithin(piece, 0, this.last);
    if (place !== undefined) this.last = place + piece.length;
    return place;
  }

  takeWithin(piece: string, from: number, end: number): number | undefined {
    if (end - from < piece.length) return undefined;
    const at = this.text.subarray(from * 2, end * 2).indexOf(piece, 0, 'utf16le');
    if (at < 0) return undefined;
    const place = from + at / 2;
    this.text.fill(0, place * 2, (place + piece.length) * 2);
    return place;
  }
}
