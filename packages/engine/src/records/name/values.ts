// Recognises what a short text is: a price, a date, a rating, a count, a yes or no.
import type { Price } from '../../extract/price/price.ts';
import type { FieldScalar, FieldType } from '../list.ts';
import { readShortPrice } from './price.ts';

/** Share of the values that must parse before a field gets a type. */
const AGREE_MIN = 0.9;
const TYPES = ['price', 'rating', 'date', 'boolean', 'count'] as const;

/** The type that at least nine in ten of `raws` parse as; `text` when there is none. */
export function typeOfTexts(raws: readonly string[]): FieldType {
  for (const type of TYPES) {
    let parsed = 0;
    for (const raw of raws) if (readValue(raw, type)) parsed++;
    if (raws.length > 0 && parsed >= raws.length * AGREE_MIN) return type;
  }
  return 'text';
}

/** `raw` as a value of `type`, undefined when it is none. Addresses resolve against `baseUrl`. */
export function readValue(raw: string, type: FieldType, baseUrl?: string): FieldScalar | undefined {
  if (type === 'text') return { type, raw };
  if (type === 'url' || type === 'image') return { type, url: URL.parse(raw, baseUrl)?.href ?? raw, raw };
  if (type === 'price') {
    const price = readShortPrice(raw);
    return price && priceScalar(price, raw);
  }
  if (type === 'date') return readDate(raw);
  if (type === 'rating') return readRating(raw);
  return type === 'count' ? readCount(raw) : readBoolean(raw);
}

/** A price as a value of a record. */
export function priceScalar({ amount, amountMinor, currency }: Price, raw: string): FieldScalar {
  return { type: 'price', amount, amountMinor, currency, raw };
}

const COUNT = /^[([]?\s*(\d{1,3}(?:[.,\s\u00a0\u202f]\d{3})+|\d+(?:[.,]\d+)?)\s*([kKmM]?)\+?\s*[)\]]?(?:\s[\p{L}]{2,14}){0,2}[)\]]?$/u;

/** `(1,234)`, `12 comments`, `1.2k`. */
function readCount(raw: string): FieldScalar | undefined {
  const match = COUNT.exec(raw.trim());
  if (!match) return undefined;
  const [, digits = '', suffix = ''] = match;
  if (suffix === '' && /[.,]\d+$/.test(digits) && !/[.,\s]\d{3}$/.test(digits)) return undefined;
  const number = suffix === '' ? Number(digits.replace(/\D/g, '')) : Number(digits.replace(',', '.'));
  const factor = suffix === '' ? 1 : suffix.toLowerCase() === 'k' ? 1000 : 1_000_000;
  return { type: 'count', count: Math.round(number * factor), raw };
}

const OUT_OF = /(\d(?:[.,]\d+)?)\s*(?:\/|out of|of|von|sur|de|su|av|van|из)\s*(5|10|100)\b/i;
const STARS = /^(?:rat(?:ed|ing)\D{0,12})?(\d(?:[.,]\d+)?)\s*(?:stars?|★|Sterne|étoiles?|estrellas?)/i;
const GLYPHS = /^[★☆⭐✩✪]{5}$/u;

/** `4.5 out of 5`, `4,2/5`, `Rated 3 stars`, `★★★☆☆`, and `width: 80%` of a bar. */
function readRating(raw: string): FieldScalar | undefined {
  const text = raw.trim();
  if (GLYPHS.test(text))
    return { type: 'rating', value: [...text].filter((glyph) => glyph === '★' || glyph === '⭐').length, best: 5, raw };
  const width = /^width:\s*(\d+(?:\.\d+)?)%/.exec(text)?.[1];
  if (width !== undefined) return { type: 'rating', value: Number(width), best: 100, raw };
  const [, value, best = '5'] = (text.length <= 60 && (OUT_OF.exec(text) ?? STARS.exec(text))) || [];
  if (value === undefined) return undefined;
  const number = Number(value.replace(',', '.'));
  return number <= Number(best) ? { type: 'rating', value: number, best: Number(best), raw } : undefined;
}

const YES = /^(?:yes|true|in stock|available|auf lager|en stock|disponible|disponibile|verfügbar|in voorraad)$/i;
const NO = /^(?:no|false|out of stock|sold out|unavailable|nicht verfügbar|ausverkauft|épuisé|agotado|rupture de stock)$/i;

function readBoolean(raw: string): FieldScalar | undefined {
  const text = raw.trim();
  if (YES.test(text)) return { type: 'boolean', value: true, raw };
  return NO.test(text) ? { type: 'boolean', value: false, raw } : undefined;
}

const MONTHS: readonly RegExp[] = [
  /^(?:jan|jän|ene|gen|янв)/,
  /^(?:feb|fév|fev|фев)/,
  /^(?:mar|mär|mrz|maa|мар)/,
  /^(?:apr|avr|abr|апр)/,
  /^(?:may|mai|mag|mei|maj|мая|май)/,
  /^(?:jun|juin|giu|июн)/,
  /^(?:jul|juil|lug|июл)/,
  /^(?:aug|aoû|aou|ago|авг)/,
  /^(?:sep|set|сен)/,
  /^(?:oct|okt|ott|out|окт)/,
  /^(?:nov|ноя)/,
  /^(?:dec|dez|déc|dic|дек)/,
];
const DATE_MAX = 50;
const ISO = /(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s?(Z|[+-]\d{2}:?\d{2})?)?/;
const DAY_FIRST = /(?:^|\D)(\d{1,2})(?:st|nd|rd|th|\.|º)?(?:\s+de)?[\s-]+([\p{L}]{3,12})\.?,?(?:\s+de)?[\s-]+(\d{4})/u;
const MONTH_FIRST = /([\p{L}]{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})/u;
const YEAR_FIRST = /^\D{0,12}(\d{4})[./](\d{1,2})[./](\d{1,2})/;
const DOTTED = /^\D{0,12}(\d{1,2})([./])(\d{1,2})[./](\d{4}|\d{2})(?!\d)/;
const AGO =
  /^\D{0,20}?(?:vor\s+|il y a\s+|hace\s+)?(\d+|an?|one)\s*(second|sec|minute|min|hour|hr|day|week|month|year|s|m|h|d|w|y|sekunde|stunde|tag|woche|monat|jahr|heure|jour|semaine|mois|an|hora|día|semana|mes|año)\w{0,2}\b\.?(?:\s+ago\b)?/i;
const AGO_MARK = /\bago\b|^vor |^il y a |^hace |^\d+\s?[smhdwy]$/i;

function readDate(raw: string): FieldScalar | undefined {
  const text = raw.trim();
  if (text.length > DATE_MAX) return undefined;
  const iso = isoOf(text);
  if (iso !== undefined) return { type: 'date', iso, secondsAgo: undefined, raw };
  const secondsAgo = secondsAgoOf(text);
  return secondsAgo === undefined ? undefined : { type: 'date', iso: undefined, secondsAgo, raw };
}

function isoOf(text: string): string | undefined {
  const iso = ISO.exec(text);
  if (iso) return dateOf(iso[1], iso[2], iso[3], iso[4] === undefined ? '' : `T${iso[4]}${iso[5] ?? ''}`);
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return dateOf(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1]);
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) return dateOf(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2]);
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return dateOf(yearFirst[1], yearFirst[2], yearFirst[3]);
  return numericDate(text);
}

/** Day before month, unless a slash separates and the numbers allow only, or leave open, the American order. */
function numericDate(text: string): string | undefined {
  const [, first, separator, second, year = ''] = DOTTED.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const fullYear = year.length === 2 ? `20${year}` : year;
  const american = separator === '/' && Number(first) <= 12;
  return american ? dateOf(fullYear, first, second) : dateOf(fullYear, second, first);
}

function monthOf(name: string | undefined): string | undefined {
  const index = MONTHS.findIndex((month) => month.test((name ?? '').toLowerCase()));
  return index < 0 ? undefined : String(index + 1);
}

function dateOf(year: string | undefined, month: string | undefined, day: string | undefined, time = ''): string | undefined {
  const valid = month !== undefined && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  return valid ? `${year}-${month.padStart(2, '0')}-${day?.padStart(2, '0')}${time}` : undefined;
}

const UNIT_SECONDS: readonly (readonly [RegExp, number])[] = [
  [/^(?:month|mo|mes)/i, 2_592_000],
  [/^(?:semaine|semana|w)/i, 604_800],
  [/^(?:s$|sec|sek|seg)/i, 1],
  [/^(?:min|m$)/i, 60],
  [/^(?:h|stunde)/i, 3600],
  [/^(?:d|tag|jour)/i, 86_400],
  [/^(?:y|jahr|an|año)/i, 31_536_000],
];

/** How many seconds a unit of time is, by its name in the languages of `AGO`; undefined for another word. */
export function secondsOfUnit(unit: string): number | undefined {
  return UNIT_SECONDS.find(([name]) => name.test(unit))?.[1];
}

function secondsAgoOf(text: string): number | undefined {
  if (/^(?:just now|now)$/i.test(text)) return 0;
  if (/^(?:yesterday|gestern|hier|ayer|ieri)$/i.test(text)) return 86_400;
  const [, amount, unit = ''] = (AGO_MARK.test(text) && AGO.exec(text)) || [];
  if (amount === undefined) return undefined;
  const seconds = secondsOfUnit(unit);
  return seconds === undefined ? undefined : seconds * (/^\d/.test(amount) ? Number(amount) : 1);
}
