// Credits of an account (D43): what it has, where they went, what calls cost, and what one would cost.
import { z } from 'zod';
import { instant, listQuery } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';
import { json, list } from '../replies.ts';
import { StartCloudCrawl } from './crawl.ts';
import { MapOfCloud } from './keyless.ts';
import { functionPlace } from './publish.ts';
import { ScrapePage } from './scrape.ts';

const Balance = z
  .strictObject({
    available: z.int().min(0).describe('What can be spent now.'),
    held: z.int().min(0).describe('Reserved by calls under way.'),
    spent: z.int().min(0),
    granted: z.int().min(0).describe('available + held + spent, always.'),
  })
  .meta({ id: 'CreditBalance' });

const Entry = z
  .strictObject({
    id: z.int(),
    at: instant,
    kind: z.enum(['grant', 'reserve', 'settle', 'refund']),
    from: z.string().describe('The book that the credits left.'),
    to: z.string().describe('The book that they came to.'),
    amount: z.int().min(1),
    hold_id: z.string().optional().describe('What a reserve and its end have in common.'),
    operation: z.string().optional(),
    about: z.string().optional().describe('What was paid for.'),
  })
  .meta({ id: 'LedgerEntry' });

const Price = z
  .strictObject({
    operation: z.string().describe('The operation, or the tool of a model, as the ledger names it.'),
    unit: z.string().describe('What is paid for.'),
    http: z.int().min(0).describe('Credits where it comes over HTTP.'),
    browser: z.int().min(0).optional().describe('Credits where a browser is used; absent where none is.'),
    free: z.string().describe('What costs nothing.'),
  })
  .meta({ id: 'Price' });

const call = <Name extends string, Body extends z.ZodType>(operation: Name, input: Body) =>
  z.strictObject({ operation: z.literal(operation), input: input.describe('The body of the call.') });

/** A metered call that is not made: its operation and what it would be sent. */
export const EstimateCall = z
  .discriminatedUnion('operation', [
    call('scrape.page', ScrapePage),
    call('crawls.start', StartCloudCrawl),
    call('published.call', functionPlace),
    call('mcp.map', MapOfCloud),
  ])
  .meta({ id: 'EstimateCall' });
export type EstimateCall = z.infer<typeof EstimateCall>;

const Estimate = z
  .strictObject({
    operation: z.string(),
    least: z.int().min(0).describe('Credits that it reserves when it begins: with fewer it is refused.'),
    most: z.int().min(0).describe('Credits that it can cost.'),
    available: z.int().min(0).describe('What the account has.'),
    is_covered: z.boolean().describe('Whether that is enough for the most.'),
  })
  .meta({ id: 'Estimate' });

const Receipt = z
  .strictObject({
    id: z.string().describe('The `hold_id` of its movements in the ledger.'),
    operation: z.string(),
    about: z.string().optional().describe('What was paid for: an address, or a function.'),
    status: z.enum(['open', 'settled']),
    reserved: z.int().min(0),
    charged: z.int().min(0),
    refunded: z.int().min(0),
    at: instant,
    settled_at: instant.optional().describe('When the last of it was paid or given back.'),
  })
  .meta({ id: 'Receipt' });

const holdId = z.strictObject({ id: z.string().regex(/^hold_[A-Za-z0-9_-]{22}$/, 'must be the id of a receipt, `hold_...`') });

/** What an account has, and every movement of it. */
export const credits = {
  balance: {
    id: 'credits.balance',
    method: 'GET',
    path: '/api/account/credits',
    summary: 'what the account has, holds and has spent',
    scopes: ['read'],
    replies: { 200: json(Balance, 'In credits.') },
  },
  ledger: {
    id: 'credits.ledger',
    method: 'GET',
    path: '/api/account/ledger',
    summary: 'every movement of credits',
    scopes: ['read'],
    query: z.strictObject(listQuery),
    replies: { 200: list(Entry, 'Newest first.') },
  },
  prices: {
    id: 'credits.prices',
    method: 'GET',
    path: '/api/account/prices',
    summary: 'what calls cost',
    scopes: ['read'],
    replies: { 200: list(Price, 'By operation.') },
  },
  estimate: {
    id: 'credits.estimate',
    method: 'POST',
    path: '/api/account/estimate',
    summary: 'what a call would cost, without making it',
    scopes: ['read'],
    body: EstimateCall,
    replies: { 200: json(Estimate, 'Its bounds, and whether the credits reach.') },
    errors: ['not_found'],
  },
  receipts: {
    id: 'credits.receipts',
    method: 'GET',
    path: '/api/account/receipts',
    summary: 'what each call was charged',
    scopes: ['read'],
    query: z.strictObject(listQuery),
    replies: { 200: list(Receipt, 'Newest first.') },
  },
  receipt: {
    id: 'credits.receipt',
    method: 'GET',
    path: '/api/account/receipts/{id}',
    summary: 'what one call was charged',
    scopes: ['read'],
    params: holdId,
    replies: { 200: json(Receipt, 'What its movements come to.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
