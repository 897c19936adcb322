// An article number found at one place of a page, and what kind of place that is.
import type { SkuLabelKind } from './sku-labels.ts';

interface Placed {
  readonly sku: string;
}

/** Behind a label, `gap` blocks from the heading. */
export interface LabelledSku extends Placed {
  readonly place: 'label';
  readonly label: SkuLabelKind;
  /** A mark such as a colon stands between label and number, or they fill two cells. */
  readonly isMarked: boolean;
  readonly gap: number;
  readonly isMain: boolean;
}

/** Without a label: near the heading with its digits in the address, in an attribute, in markup outside items, in a hidden field, at the end of the address. */
export interface BareSku extends Placed {
  readonly place: 'token' | 'attribute' | 'sku_property' | 'id_property' | 'field' | 'named_field' | 'address_end';
}

/** A member of script objects. */
export interface ScriptSku extends Placed {
  readonly place: 'script';
  readonly isNamedSku: boolean;
  readonly count: number;
  /** No other number is named so. */
  readonly isOnly: boolean;
}

/** One place that gives a number; several places of a page can give the same. */
export type FoundSku = LabelledSku | BareSku | ScriptSku;
