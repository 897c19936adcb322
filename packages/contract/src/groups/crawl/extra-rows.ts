// Beyond the specification: why a crawl did what it did, and what it would do.
import { z } from 'zod';
import { integerText, runIdText, webUrl } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import type { OperationGroup } from '../../operation.ts';
import { cursorList, list, none } from '../../replies.ts';
import { CrawlOptions, CrawlOutcome, LedgerLine, LedgerReason, UrlExplanation } from './crawl.ts';

const LINES = cursorList(LedgerLine, 'One line for each address that was discovered, in that order; as NDJSON all lines that follow.');

export const crawl = {
  ledger: {
    id: 'crawl.ledger',
    method: 'GET',
    path: '/x/crawl/{id}/ledger',
    summary: 'what became of every address that a crawl discovered, and which rule decided',
    scopes: ['read', 'run:own'],
    params: z.strictObject({ id: runIdText }),
    query: z.strictObject({
      outcome: CrawlOutcome.optional().describe('Only addresses that ended so.'),
      reason: z.string().min(1).max(100).optional().describe('Only addresses that were skipped or failed for this reason.'),
      limit: integerText(1, LIMITS.listLimitMax).optional().describe(`How many at most; ${LIMITS.listLimitDefault} unless said.`),
      cursor: z.string().max(200).optional().describe('`next_cursor` of the answer before.'),
      format: z.enum(['json', 'ndjson']).optional().describe('`ndjson` answers every line that follows, one object a line.'),
    }),
    replies: { 200: { ...LINES, content: { ...LINES.content, 'application/x-ndjson': 'bytes' } } },
    errors: ['not_found'],
    owned: 'run',
  },
  reasons: {
    id: 'crawl.reasons',
    method: 'GET',
    path: '/x/crawl/{id}/reasons',
    summary: 'how many addresses of a crawl ended how and why',
    scopes: ['read', 'run:own'],
    params: z.strictObject({ id: runIdText }),
    replies: { 200: list(LedgerReason, 'Outcomes with their reasons, the most frequent first.') },
    errors: ['not_found'],
    owned: 'run',
  },
  delete: {
    id: 'crawl.delete',
    method: 'DELETE',
    path: '/x/crawl/{id}',
    summary: 'delete a crawl with its ledger and what it brought',
    scopes: ['admin'],
    params: z.strictObject({ id: runIdText }),
    replies: { 204: none('It is gone; in the dataset of a saved crawl, what an earlier run brought stands again.') },
    errors: ['not_found', 'conflict'],
  },
  explain: {
    id: 'crawl.explain',
    method: 'POST',
    path: '/x/crawl/explain',
    summary: 'which rule would decide about each address, without a crawl',
    scopes: ['run'],
    body: z.strictObject({ options: CrawlOptions, urls: z.array(webUrl).min(1).max(LIMITS.listLimitMax) }),
    replies: { 200: list(UrlExplanation, 'One explanation for each address, in their order; robots.txt of their hosts is asked for.') },
  },
} as const satisfies OperationGroup;
