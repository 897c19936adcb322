// Group Crawl.
import { z } from 'zod';
import { listQuery, runIdText } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';
import { json, list } from '../replies.ts';
import { Crawl, CrawlSummary, StartCrawl, crawlReadQuery } from '../resources/crawl.ts';
import { Run, RunStatus } from '../resources/run.ts';
import { DAEMON_SCOPES } from './scopes.ts';

const params = z.strictObject({ id: runIdText });

export const crawl = {
  list: {
    id: 'crawl.list',
    method: 'GET',
    path: '/v1/crawl',
    summary: 'list crawls',
    scopes: DAEMON_SCOPES['GET /v1/crawl'],
    query: z.strictObject({ ...listQuery, status: RunStatus.optional() }),
    replies: { 200: list(CrawlSummary, 'Crawls, newest first.') },
  },
  start: {
    id: 'crawl.start',
    method: 'POST',
    path: '/v1/crawl',
    summary: 'start a crawl',
    scopes: DAEMON_SCOPES['POST /v1/crawl'],
    body: StartCrawl,
    replies: {
      200: json(Crawl, '`wait` was sent and the crawl is settled.'),
      202: json(Crawl, 'The crawl is dispatched, or `wait` ran out of time.'),
    },
    errors: ['conflict', 'device_capacity'],
    idempotency: 'replay',
  },
  read: {
    id: 'crawl.read',
    method: 'GET',
    path: '/v1/crawl/{id}',
    summary: 'read a crawl',
    scopes: DAEMON_SCOPES['GET /v1/crawl/{id}'],
    params,
    query: crawlReadQuery,
    replies: { 200: json(Crawl, 'The crawl with its counts and a part of its pages.') },
    errors: ['not_found'],
    owned: 'run',
  },
  cancel: {
    id: 'crawl.cancel',
    method: 'POST',
    path: '/v1/crawl/{id}/cancel',
    summary: 'request cancellation of a crawl',
    scopes: DAEMON_SCOPES['POST /v1/crawl/{id}/cancel'],
    params,
    replies: { 200: json(Run, 'The run of the crawl, cancelled.'), 409: json(Run, 'It had already settled; it is unchanged.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
