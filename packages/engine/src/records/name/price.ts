// Reads the price in a short text of a record, where cents may stand in an element of their own.
import type { Price } from '../../extract/price/price.ts';
import { findPrices } from '../../extract/price/price.ts';

const TEXT_MAX = 60;

/** The first price of `text` if it carries a currency sign or code and is no longer sentence; else undefined. */
export function readShortPrice(text: string): Price | undefined {
  // Most texts of a page have no digit, and finding that out costs least.
  if (text.length > TEXT_MAX || !/\p{Nd}/u.test(text)) return undefined;
  return findPrices(joinCents(text))[0];
}

/** `$ 189 .99` and `$ 189 99`: cents that stood in an element of their own. */
function joinCents(text: string): string {
  return text.replace(/(\d)\s+([.,]\d{2})(?!\d)/g, '$1$2').replace(/(\d)\s+(\d{2})(?=\D*$)(?!\s*\d)/, '$1.$2');
}
