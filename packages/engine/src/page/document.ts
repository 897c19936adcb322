// One page and everything that can be read out of it.
import type { AvailabilityEvidence } from '../extract/availability/state.ts';
import type { Form } from '../extract/forms/forms.ts';
import type { Paging } from '../extract/paging/paging.ts';
import type { Product } from '../extract/product/product.ts';
import { readForms, readPageAvailability, readPageProduct, readPaging, readRecords } from './page-data.ts';
import { PageDocument } from './page-document.ts';
import type { RecordList } from '../records/list.ts';

export type { DocumentSource } from './page-document.ts';

/** One page, decoded and parsed once, with the data on it; each view is computed when it is first asked for. */
export class Document extends PageDocument {
  get product(): Product | undefined {
    return this.once('product', () => readPageProduct(this));
  }

  /** What its data states of whether its product can be bought. */
  get statedAvailability(): readonly AvailabilityEvidence[] {
    return this.once('stated availability', () => readPageAvailability(this));
  }

  get paging(): Paging {
    return this.once('paging', () => readPaging(this));
  }

  get forms(): readonly Form[] {
    return this.once('forms', () => readForms(this));
  }

  /** Lists on the page, best first: from its elements, its structured data and what it fetched. */
  get records(): readonly RecordList[] {
    return this.once('records', () => readRecords(this));
  }
}
