// Beyond the specification: parts of one page, without keeping it.
import { z } from 'zod';
import { webUrl } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { LaneChoice } from '../crawl/crawl.ts';
import { proxy, send } from '../crawl/send.ts';
import { RunFailure } from '../runs/run.ts';
import { EXTRACT_PARTS, EXTRACT_SELECTORS } from './parts.ts';

const HTML_BYTES_MAX = 10_485_760;

const expression = (describe: string) => z.string().min(1).max(4000).optional().describe(describe);

const NO_SELECTOR = { properties: Object.fromEntries(EXTRACT_SELECTORS.map((kind) => [kind, false])) };
const SOME_PART = { anyOf: EXTRACT_PARTS.map((part) => ({ required: [part], properties: { [part]: { const: true } } })) };

/** `pages` is about the list that begins at an address, and about nothing beside it. */
const PAGED = {
  required: ['url', 'list'],
  properties: { ...NO_SELECTOR.properties, list: { const: true }, product: { const: false }, forms: { const: false } },
};
const LIST_PAGES_MAX = 1000;
const KEY_FIELDS_MAX = 20;

const ExtractParts = z
  .strictObject({
    url: webUrl.optional().describe('The page; or send `html`.'),
    html: z.string().optional().describe('A page that the caller holds already.'),
    base_url: webUrl.optional().describe('Where `html` was found.'),
    css: expression(
      'A CSS selector; behind it `@href` or `::attr(href)` for an attribute, `::text` for each text that stands in an element directly.',
    ),
    xpath: expression('An XPath expression; attributes that hold an address give it absolute.'),
    jsonpath: expression('A JSONPath (RFC 9535) into the JSON that the page is or holds.'),
    regex: expression('An RE2 expression on the text of the page; `/pattern/flags` or the bare pattern.'),
    text: expression('Words that an element says.'),
    role: expression('An ARIA role, with a name behind it if wanted.'),
    label: expression('What labels a value or a control.'),
    aria: expression('Accessible name, exactly, and role, as DevTools writes them: `Buy[role="button"]`.'),
    pierce: expression('CSS in the page and in each open shadow root by itself.'),
    list: z.boolean().optional().describe('The lists of the page with their fields.'),
    product: z.boolean().optional().describe('The product that the page is about.'),
    forms: z.boolean().optional().describe('The forms of the page.'),
    include_hidden: z.boolean().optional().describe('Lists, product and forms are also read from what the page hides. False unless said.'),
    lane: LaneChoice.optional(),
    send,
    proxy,
    pages: z
      .int()
      .min(1)
      .max(LIST_PAGES_MAX)
      .optional()
      .describe(
        'With `list` and `url`: follows the list from page to page, so many at most, and answers the one best list with the items of all of them. Pages behind the first are asked for only where robots.txt lets them be.',
      ),
    key: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(KEY_FIELDS_MAX)
      .optional()
      .describe(
        'With `pages`: the fields that tell an item from all others; unless said, an item is left out where an earlier page showed all of it.',
      ),
  })
  .check((context) => {
    const { value } = context;
    const refuse = (message: string) => context.issues.push({ code: 'custom', message, input: value });
    if ((value.url === undefined) === (value.html === undefined)) refuse('needs either url or html');
    if (value.html !== undefined && (value.send !== undefined || value.proxy !== undefined)) refuse('send and proxy go with url');
    if (value.base_url !== undefined && value.html === undefined) refuse('base_url goes with html');
    if (value.key !== undefined && value.pages === undefined) refuse('key goes with pages');
    if (value.pages !== undefined && (value.url === undefined || value.list !== true)) refuse('pages goes with url and list');
    if (value.pages !== undefined && (value.product === true || value.forms === true)) refuse('pages goes without product and forms');
    const selectors = EXTRACT_SELECTORS.filter((kind) => value[kind] !== undefined);
    if (value.pages !== undefined && selectors.length > 0) refuse('pages goes without a selector');
    if (selectors.length > 1) refuse(`takes one selector, not ${selectors.join(' and ')}`);
    if (selectors.length === 0 && !EXTRACT_PARTS.some((part) => value[part] === true))
      refuse(`needs one of ${[...EXTRACT_SELECTORS, ...EXTRACT_PARTS].join(', ')}`);
  })
  .meta({
    id: 'ExtractParts',
    allOf: [
      { oneOf: [{ required: ['url'] }, { required: ['html'] }] },
      { oneOf: [...EXTRACT_SELECTORS.map((kind) => ({ required: [kind] })), { ...NO_SELECTOR, ...SOME_PART }] },
      { anyOf: [{ properties: { pages: false } }, PAGED] },
    ],
    dependentRequired: { base_url: ['html'], key: ['pages'], send: ['url'], proxy: ['url'] },
  });

const ExtractedMatch = z
  .strictObject({ value: z.string(), html: z.string().optional().describe('The element, for the first hundred.') })
  .meta({ id: 'ExtractedMatch' });

const ExtractedPages = z
  .strictObject({
    read: z.int().min(1).describe('Pages that were read.'),
    end: z
      .enum(['last_page', 'button', 'nothing_new', 'no_list', 'pages', 'items', 'time', 'robots', 'failed'])
      .describe(
        'Why no further page was read: there is none, or only a button shows it, or the last one brought nothing new or shows no list; as many as `pages`, as one answer holds, or as it has time for were read; robots.txt forbids the next one, or it could not be had.',
      ),
    says: z.string().describe('The same as a sentence.'),
    next: z.string().optional().describe('Where the list goes on, unless it was read to its end.'),
    repeated: z.int().min(0).describe('Items that were left out because they had come before.'),
  })
  .meta({ id: 'ExtractedPages' });

const ExtractedParts = z
  .strictObject({
    url: z.string().describe('Where the page was found, after redirects.'),
    status: z.int().optional(),
    lane: z.enum(['http', 'browser']).optional(),
    title: z.string().optional(),
    robots: z
      .strictObject({ allowed: z.boolean(), rule: z.string().optional() })
      .optional()
      .describe('What robots.txt says of the address; a single page is read all the same.'),
    matches: z.array(ExtractedMatch).optional().describe('In the order of the page.'),
    count: z.int().min(0).optional().describe('How many matches there are, those that were left out included.'),
    evidence: z
      .strictObject({ kind: z.enum(EXTRACT_SELECTORS), place: z.string(), path: z.string().optional(), truncated: z.boolean() })
      .optional()
      .describe('How the matches were found.'),
    lists: z.array(z.unknown()).optional().describe('Best first.'),
    pages: ExtractedPages.optional().describe('How far the list was read, where `pages` were asked for.'),
    product: z.unknown().optional().describe('Null where the page shows none.'),
    forms: z.array(z.unknown()).optional(),
    failure: RunFailure.optional().describe('Why the page could not be had or read.'),
  })
  .meta({ id: 'ExtractedParts' });

export const extract = {
  run: {
    id: 'extract.run',
    method: 'POST',
    path: '/x/extract',
    summary: 'read parts of one page: what a selector points at, its lists, its product, its forms',
    scopes: ['run'],
    body: ExtractParts,
    bodyBytesMax: HTML_BYTES_MAX,
    replies: { 200: json(ExtractedParts, 'What was found; a page that can not be had or read has a `failure`.') },
  },
} as const satisfies OperationGroup;
