// Beyond the specification: parts of one page, without keeping it.
import { z } from 'zod';
import { webUrl } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { LaneChoice } from '../crawl/crawl.ts';
import { RunFailure } from '../runs/run.ts';
import { EXTRACT_PARTS, EXTRACT_SELECTORS } from './parts.ts';

const HTML_BYTES_MAX = 10_485_760;

const expression = (describe: string) => z.string().min(1).max(4000).optional().describe(describe);

const NO_SELECTOR = { properties: Object.fromEntries(EXTRACT_SELECTORS.map((kind) => [kind, false])) };
const SOME_PART = { anyOf: EXTRACT_PARTS.map((part) => ({ required: [part], properties: { [part]: { const: true } } })) };

const ExtractParts = z
  .strictObject({
    url: webUrl.optional().describe('The page; or send `html`.'),
    html: z.string().optional().describe('A page that the caller holds already.'),
    base_url: webUrl.optional().describe('Where `html` was found.'),
    css: expression('A CSS selector.'),
    xpath: expression('An XPath expression.'),
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
  })
  .check((context) => {
    const { value } = context;
    const refuse = (message: string) => context.issues.push({ code: 'custom', message, input: value });
    if ((value.url === undefined) === (value.html === undefined)) refuse('needs either url or html');
    if (value.base_url !== undefined && value.html === undefined) refuse('base_url goes with html');
    const selectors = EXTRACT_SELECTORS.filter((kind) => value[kind] !== undefined);
    if (selectors.length > 1) refuse(`takes one selector, not ${selectors.join(' and ')}`);
    if (selectors.length === 0 && !EXTRACT_PARTS.some((part) => value[part] === true))
      refuse(`needs one of ${[...EXTRACT_SELECTORS, ...EXTRACT_PARTS].join(', ')}`);
  })
  .meta({
    id: 'ExtractParts',
    allOf: [
      { oneOf: [{ required: ['url'] }, { required: ['html'] }] },
      { oneOf: [...EXTRACT_SELECTORS.map((kind) => ({ required: [kind] })), { ...NO_SELECTOR, ...SOME_PART }] },
    ],
    dependentRequired: { base_url: ['html'] },
  });

const ExtractedMatch = z
  .strictObject({ value: z.string(), html: z.string().optional().describe('The element, for the first hundred.') })
  .meta({ id: 'ExtractedMatch' });

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
