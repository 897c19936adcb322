// Where a value of a product was read.
import type { AvailabilitySource } from '../availability/state.ts';

/** A format of structured data, or the visible page. */
export type ProductSource = AvailabilitySource;

/** The source of one value. */
export interface ProductEvidence {
  readonly field: 'name' | 'price' | 'sku';
  readonly source: ProductSource;
  /** The value as written on the page. */
  readonly raw: string;
}
