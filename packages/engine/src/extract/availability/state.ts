// The states that an offer can be in, and what schema.org and OpenGraph call them.
import { shortName } from '../structured/json-ld.ts';

/** Whether and how a product can be bought; `unknown` where the page says nothing. */
export type AvailabilityState =
  | 'in_stock'
  | 'out_of_stock'
  | 'preorder'
  | 'backorder'
  | 'limited'
  | 'made_to_order'
  | 'discontinued'
  | 'unknown';

/** A format of structured data, or the visible page. */
export type AvailabilitySource = 'jsonld' | 'microdata' | 'rdfa' | 'og' | 'text';

/** One sign of availability and where it was read. */
export interface AvailabilityEvidence {
  readonly source: AvailabilitySource;
  readonly state: AvailabilityState;
  /** The words or the term, as on the page. */
  readonly phrase: string;
}

/** The state that was decided for, and what it rests on. */
export interface Availability {
  readonly state: AvailabilityState;
  /** Everything that spoke for a state, what decided first; empty for `unknown`. */
  readonly evidence: readonly AvailabilityEvidence[];
  /** True where the page says in one place that the product can be bought and in another that it can't. */
  readonly conflict: boolean;
  /** The number of pieces that the page says are left; undefined without one. */
  readonly quantity: number | undefined;
}

/** https://schema.org/ItemAvailability, and the spellings of the OpenGraph product extension. */
const TERMS: Readonly<Record<string, AvailabilityState>> = {
  instock: 'in_stock',
  available: 'in_stock',
  availablefororder: 'in_stock',
  instoreonly: 'in_stock',
  onlineonly: 'in_stock',
  limitedavailability: 'limited',
  limited: 'limited',
  preorder: 'preorder',
  presale: 'preorder',
  comingsoon: 'preorder',
  backorder: 'backorder',
  madetoorder: 'made_to_order',
  outofstock: 'out_of_stock',
  oos: 'out_of_stock',
  soldout: 'out_of_stock',
  unavailable: 'out_of_stock',
  notavailable: 'out_of_stock',
  reserved: 'out_of_stock',
  pending: 'out_of_stock',
  discontinued: 'discontinued',
};

/** The state that a term of structured data means, with or without address, blanks and case; undefined for other words. */
export function stateOfTerm(term: string): AvailabilityState | undefined {
  const name = shortName(term).replace(/[\s_-]/g, '');
  return Object.hasOwn(TERMS, name) ? TERMS[name] : undefined;
}

/** True where the product can be ordered, if not at once. */
export function isBuyable(state: AvailabilityState): boolean {
  return state !== 'out_of_stock' && state !== 'discontinued' && state !== 'unknown';
}
