// Reads a number out of a text as the language of its page writes it.
import { asciiDigits, decimalOf, NUMBER_SOURCE } from '../../../extract/price/number.ts';
import { found, quoted } from './outcome.ts';
import type { Outcome } from './outcome.ts';

const NUMBER = new RegExp(NUMBER_SOURCE, 'gu');
/** Shortened counts: `12.3k`, `4M`, `1.2B`, where the letter touches the number. */
const SCALE = /^([kKMB])(?![\p{L}\p{N}])/u;
const FACTORS: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, B: 1e9 };

/** The first number of `text`; `language` is the BCP 47 tag of the page. */
export function readNumber(text: string, language: string | undefined): Outcome {
  const number = findNumber(text, language);
  return number === undefined ? { problem: `There is no number in ${quoted(text)}.` } : found(number);
}

/**
 * The first number of `text`; undefined where there is none. Three digits behind a single mark are decimals where the language writes its
 * decimals with that mark, and a group where it is unknown or writes another one, and beside a currency.
 */
export function findNumber(text: string, language: string | undefined): number | undefined {
  const digits = asciiDigits(text);
  for (const match of digits.matchAll(NUMBER)) {
    const isMoney = /\p{Sc}/u.test(digits.slice(Math.max(0, match.index - 2), match.index + match[0].length + 2));
    const decimal = decimalOf(match[0], !isMoney && isDecimalIn(match[0], language) ? 3 : 2);
    if (decimal === undefined) continue;
    const factor = FACTORS[SCALE.exec(digits.slice(match.index + match[0].length))?.[1] ?? ''] ?? 1;
    const sign = /(?:^|[^\p{L}\p{N}.,])[-−]\s?$/u.test(digits.slice(Math.max(0, match.index - 3), match.index)) ? -1 : 1;
    const value = Number(decimal) * factor * sign;
    // A figure times a power of ten has no more decimals than it had.
    return factor === 1 ? value : Number(value.toPrecision(12));
  }
  return undefined;
}

function isDecimalIn(written: string, language: string | undefined): boolean {
  const mark = /^\d{1,3}([.,])\d{3}$/.exec(written)?.[1];
  return mark !== undefined && mark === decimalMarkOf(language);
}

/** The mark before decimals in a language (Unicode CLDR); undefined for an unknown one. */
function decimalMarkOf(language: string | undefined): string | undefined {
  if (language === undefined) return undefined;
  try {
    return new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
  } catch {
    return undefined;
  }
}
