// An article number found on a page, and how much speaks for it.

/** A candidate; several places of a page can give the same number. */
export interface FoundSku {
  readonly sku: string;
  /** From about 3 it is worth an answer; 6 is a plain label near the heading. */
  readonly score: number;
  /** False for a number that only forms, attributes and scripts hold. */
  readonly isVisible: boolean;
}
