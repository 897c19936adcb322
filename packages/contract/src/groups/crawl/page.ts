// A page as a record keeps it.
import { z } from 'zod';
import { instant } from '../../ids.ts';

/** The views of a page that can be kept. */
export const PAGE_FORMATS = [
  'markdown',
  'html',
  'raw_html',
  'text',
  'links',
  'images',
  'metadata',
  'structured',
  'records',
  'product',
  'forms',
] as const;
/** One view of a page. */
export const PageFormat = z.enum(PAGE_FORMATS);
export type PageFormat = z.infer<typeof PageFormat>;

/** A link of a page, with its address resolved. */
export const PageLink = z.strictObject({ url: z.string(), text: z.string(), rel: z.string().optional() }).meta({ id: 'PageLink' });

/** What the head of a page says of it; further names are kept as they are found. */
export const PageMetadata = z
  .looseObject({
    title: z.string().optional(),
    description: z.string().optional(),
    language: z.string().optional(),
    canonical: z.string().optional(),
  })
  .meta({ id: 'PageMetadata' });

/** One page as a dataset keeps it; a view that was not asked for is absent. */
export const PageRecord = z
  .strictObject({
    url: z.string().describe('Where the page was found, after redirects.'),
    requested_url: z.string(),
    status: z.int(),
    content_type: z.string().optional(),
    encoding: z.string().optional(),
    lane: z.enum(['http', 'browser']),
    lane_reason: z.string(),
    persona_id: z.int().optional().describe('Whom it was fetched as; such a page is reused for nobody else.'),
    page_type: z.string().optional(),
    title: z.string().optional(),
    markdown: z.string().optional(),
    html: z.string().optional(),
    raw_html: z.string().optional(),
    text: z.string().optional(),
    hidden_words: z
      .int()
      .min(1)
      .optional()
      .describe('Words that the page hides inside what was read, left out of the text, Markdown and HTML; `include_hidden` reads them.'),
    links: z.array(PageLink).optional(),
    images: z.array(z.unknown()).optional(),
    metadata: PageMetadata.optional(),
    structured: z.unknown().optional(),
    records: z.array(z.unknown()).optional(),
    product: z.unknown().optional(),
    forms: z.array(z.unknown()).optional(),
    robots: z
      .strictObject({
        allowed: z.boolean().describe('What the site asks of this user agent.'),
        rule: z.string().optional().describe('The rule that decided, or why there was none to read.'),
        line: z.int().optional(),
        noindex: z.boolean().describe('Said by the page or by X-Robots-Tag.'),
      })
      .optional()
      .describe('Reported, not enforced, for a single page.'),
    screenshot: z.string().optional().describe('The id of a file, a PNG.'),
    pdf: z.string().optional().describe('The id of a file.'),
    options_ignored: z.array(z.string()).optional(),
    redirects: z.array(z.strictObject({ url: z.string(), status: z.int() })).optional(),
    timings_ms: z.record(z.string(), z.number()).optional(),
    content_hash: z.string().describe('SHA-256 of the body, hex.'),
    fetched_at: instant,
  })
  .meta({ id: 'PageRecord' });
export type PageRecord = z.infer<typeof PageRecord>;
