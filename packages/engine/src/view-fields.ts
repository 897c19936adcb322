// Which members of a page record are read out of the page.
import type { PageRecord } from '@weft/contract';

/** The members of a page record that are read out of the page; a view that was not asked for is absent. */
export type Views = Pick<
  PageRecord,
  | 'encoding'
  | 'page_type'
  | 'title'
  | 'markdown'
  | 'html'
  | 'raw_html'
  | 'text'
  | 'hidden_words'
  | 'links'
  | 'images'
  | 'metadata'
  | 'structured'
  | 'records'
  | 'product'
  | 'forms'
>;
