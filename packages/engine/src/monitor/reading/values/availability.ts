// Reads whether something can be bought: what the element says, and what the page and its data say of its product.
import { findPhrase, findQuantity, isBuyText } from '../../../extract/availability/phrases.ts';
import { isBuyable, stateOfTerm } from '../../../extract/availability/state.ts';
import type { Availability, AvailabilityEvidence } from '../../../extract/availability/state.ts';
import type { FoundPart } from '../parts.ts';
import { findNumber } from './number.ts';
import { found, quoted } from './outcome.ts';
import type { Found, Outcome, Reading } from './outcome.ts';
import { isWholePage } from './price.ts';

/** A phrase counts only in a short text, as in the buy box of a product. */
const STATEMENT_CHARS_MAX = 90;
/** A single figure counts beside a label, and not in a sentence or a title. */
const LABEL_CHARS_MAX = 20;

/** Its state with the evidence for it: `unknown` where nothing is recognised, never a guess. */
export function readAvailability(part: FoundPart, { page }: Reading): Outcome {
  const own = part.element && isWholePage(part.element) ? undefined : evidenceOf(part);
  if (!own) return availabilityFound(page.product?.availability ?? NOTHING);
  const contradiction = page.stated.find(({ state }) => isBuyable(state) !== isBuyable(own.state));
  const evidence = contradiction ? [own, contradiction] : [own];
  return availabilityFound({ state: own.state, evidence, conflict: contradiction !== undefined, quantity: findQuantity(part.kept) });
}

const NOTHING: Availability = { state: 'unknown', evidence: [], conflict: false, quantity: undefined };

/** The pieces that are left, as the element says it, else as the page does; none where it says that it is sold out. */
export function readQuantity(part: FoundPart, { page }: Reading): Outcome {
  if (typeof part.value === 'number') return found(part.value);
  const text = part.kept;
  if (part.element && isWholePage(part.element)) return quantityOf(page.product?.availability.quantity, text);
  const said = findQuantity(text);
  if (said !== undefined) return found(said);
  const state = evidenceOf(part)?.state;
  if (state !== undefined && !isBuyable(state)) return found(0);
  const isFigure = text.replaceAll(/\d/g, '').length <= LABEL_CHARS_MAX && text.match(/\d[\d.,\s]*/g)?.length === 1;
  return quantityOf(isFigure ? findNumber(text, page.language) : undefined, text);
}

function quantityOf(quantity: number | undefined, text: string): Outcome {
  return quantity === undefined ? { problem: `It is not said in ${quoted(text)} how many are left.` } : found(quantity);
}

/** The first plain statement of an element: a term of structured data, a phrase of a short line, a button that buys. */
function evidenceOf(part: FoundPart): AvailabilityEvidence | undefined {
  const { element } = part;
  const term = element && (element.attribs['href'] ?? element.attribs['content']);
  const stated = term !== undefined && /availability/i.test(element?.attribs['itemprop'] ?? '') ? stateOfTerm(term) : undefined;
  if (stated && term !== undefined) return { source: 'microdata', state: stated, phrase: term };
  const lines = part.kept.split('\n').filter((line) => line.length <= STATEMENT_CHARS_MAX);
  for (const line of lines) {
    const phrase = findPhrase(line);
    if (phrase) return { source: 'text', ...phrase };
    const state = stateOfTerm(line.trim());
    if (state) return { source: 'text', state, phrase: line.trim() };
  }
  const buy = lines.find(isBuyText);
  return buy === undefined ? undefined : { source: 'text', state: 'in_stock', phrase: buy };
}

function availabilityFound({ state, evidence, conflict, quantity }: Availability): Found {
  const value = {
    state,
    evidence: evidence.map(({ source, state: said, phrase }) => ({ source, state: said, phrase })),
    conflict,
    ...(quantity === undefined ? {} : { quantity }),
  };
  return found(value, state.replaceAll('_', ' '), state);
}
