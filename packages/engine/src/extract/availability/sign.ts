// What one place of a page says about availability, and how much it counts.
import type { AvailabilityEvidence } from './state.ts';

/** Evidence from the visible page, with its weight (see WEIGHT) and place. */
export interface TextSign extends AvailabilityEvidence {
  readonly weight: number;
  /** Position of its block on the page. */
  readonly index: number;
}

/** The weights of signs; a plain statement overrules structured data. */
export const WEIGHT = {
  /** A text that says nothing else. */
  statement: 3,
  /** A text that says hardly anything else. */
  nearStatement: 2.5,
  shortText: 2,
  buyButton: 1.5,
  /** A field or form for buying. */
  buyField: 1.2,
  /** A variant of the product, or a phrase inside a sentence. */
  aside: 1,
} as const;
