// Says what kind of value a text is, so that a price is never taken for the title that stands in its place.
import { readValue } from '../../records/name/values.ts';

/** What a value is by its looks. */
export type ValueShape = 'empty' | 'price' | 'date' | 'rating' | 'count' | 'number' | 'boolean' | 'words' | 'text';

const TYPED = ['price', 'rating', 'date', 'boolean', 'count'] as const;
/** A longer text is none of the typed values. */
const TYPED_CHARACTERS_MAX = 60;
/** A state, a name or a title; more words are a sentence. */
const WORDS_MAX = 6;
/** A number with its unit or sign: `12.4 %`, `-3`, `1,200 km`, `v2.1.0`. */
const NUMBER = /^[^\p{L}\p{N}]*\p{L}?[-+]?\p{N}[\p{N}.,:\s/'’-]*\s*(?:%|°?\p{L}{0,4})[^\p{L}\p{N}]*$/u;

/** The shape of `raw`. */
export function shapeOfValue(raw: string): ValueShape {
  const text = raw.trim();
  if (text === '') return 'empty';
  if (text.length <= TYPED_CHARACTERS_MAX) {
    const typed = TYPED.find((type) => readValue(text, type) !== undefined);
    if (typed) return typed;
    if (NUMBER.test(text)) return 'number';
  }
  return text.split(/\s+/, WORDS_MAX + 1).length <= WORDS_MAX ? 'words' : 'text';
}

/**
 * Whether a value of one shape may be the next value of the other: "in stock" turns into "12 left", a title grows by a word, "3" into
 * "3.5"; a price stays one.
 */
export function areShapesAlike(a: ValueShape, b: ValueShape): boolean {
  return a === b || KINDS[a].some((kind) => KINDS[b].includes(kind));
}

const KINDS: Readonly<Record<ValueShape, readonly ('said' | 'counted' | 'price' | 'date' | 'empty')[]>> = {
  empty: ['empty'],
  price: ['price'],
  date: ['date'],
  rating: ['counted'],
  count: ['counted'],
  number: ['counted'],
  boolean: ['said'],
  words: ['said'],
  text: ['said'],
};
