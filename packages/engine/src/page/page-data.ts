// What a page offers as data: lists, its product, forms, the way to further pages. Each is read anew; `Document` keeps them.
import { evidenceOfOffer } from '../extract/availability/availability.ts';
import type { AvailabilityEvidence } from '../extract/availability/state.ts';
import type { Form } from '../extract/forms/forms.ts';
import { findForms } from '../extract/forms/forms.ts';
import type { Paging } from '../extract/paging/paging.ts';
import { findPaging } from '../extract/paging/paging.ts';
import type { Product } from '../extract/product/product.ts';
import { readStatedAvailability } from '../extract/product/product-facts.ts';
import { readProduct } from '../extract/product/product.ts';
import type { PageDocument } from './page-document.ts';
import { findRecordLists } from '../records/detect.ts';
import { recordListFromJson } from '../records/json.ts';
import type { RecordList } from '../records/list.ts';

/** How many embedded JSON values are looked through for lists. */
const JSON_SOURCES_MAX = 20;

/** Lists on the page, best first: from its elements, its structured data and what it fetched. */
export function readRecords(page: PageDocument): readonly RecordList[] {
  return findRecordLists(page.tree, { extra: listsInJson(page) });
}

/** The product that the page is about; undefined where it is about none, or several. */
export function readPageProduct(page: PageDocument): Product | undefined {
  return readProduct(page.tree, page.structured);
}

/** What the data of the page states of whether its product can be bought. */
export function readPageAvailability(page: PageDocument): readonly AvailabilityEvidence[] {
  return readStatedAvailability(page.tree, page.structured).flatMap((offer) => evidenceOfOffer(offer) ?? []);
}

/** The forms of the page, in document order. */
export function readForms(page: PageDocument): readonly Form[] {
  return findForms(page.tree);
}

/** Where the page goes on. */
export function readPaging(page: PageDocument): Paging {
  return findPaging(page.tree);
}

function listsInJson({ structured, source }: PageDocument): readonly RecordList[] {
  const { jsonLd, states } = structured;
  const lists = [
    recordListFromJson(jsonLd, 'jsonld'),
    ...states.slice(0, JSON_SOURCES_MAX).map((state) => recordListFromJson(state.value, 'state')),
    ...(source.xhr ?? [])
      .slice(0, JSON_SOURCES_MAX)
      .map((answer) => recordListFromJson(answer.json, 'xhr', answer.method === 'GET' ? answer.url : undefined)),
  ];
  return lists.filter((list) => list !== undefined);
}
