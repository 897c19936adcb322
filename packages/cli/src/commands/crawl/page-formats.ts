// What can be printed of a page.
import type { PageFormat } from '@weft/contract';
import { namesOf } from '../../names.ts';

/** The views of a page, and `json` for the common ones together. */
export const FORMATS = namesOf<PageFormat | 'json'>({
  markdown: true,
  html: true,
  raw_html: true,
  text: true,
  links: true,
  images: true,
  metadata: true,
  structured: true,
  records: true,
  product: true,
  forms: true,
  json: true,
});
