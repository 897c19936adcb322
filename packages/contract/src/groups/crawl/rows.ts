// Group Crawl.
import { z } from 'zod';
import { listQuery, refText, runIdText } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { cursorList, json, list, none } from '../../replies.ts';
import {
  Crawl,
  CrawlDefinition,
  CrawlDefinitionPatch,
  CrawlSummary,
  NewCrawlDefinition,
  RunCrawlDefinition,
  StartCrawl,
  crawlReadQuery,
} from './crawl.ts';
import { PageRecord } from './page.ts';
import { Run, RunStatus } from '../runs/run.ts';

const params = z.strictObject({ id: runIdText });

export const crawl = {
  list: {
    id: 'crawl.list',
    method: 'GET',
    path: '/v1/crawl',
    summary: 'list crawls',
    scopes: ['read', 'run:own'],
    query: z.strictObject({ ...listQuery, status: RunStatus.optional() }),
    replies: { 200: list(CrawlSummary, 'Crawls, newest first.') },
  },
  start: {
    id: 'crawl.start',
    method: 'POST',
    path: '/v1/crawl',
    summary: 'start a crawl',
    scopes: ['run'],
    body: StartCrawl,
    replies: {
      200: json(Crawl, '`wait` was sent and the crawl is settled.'),
      202: json(Crawl, 'The crawl is dispatched, or `wait` ran out of time.'),
    },
    errors: ['conflict', 'device_capacity', 'vault_locked'],
    idempotency: 'replay',
  },
  read: {
    id: 'crawl.read',
    method: 'GET',
    path: '/v1/crawl/{id}',
    summary: 'read a crawl',
    scopes: ['read', 'run:own'],
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
    scopes: ['run:own'],
    params,
    replies: { 200: json(Run, 'The run of the crawl, cancelled.'), 409: json(Run, 'It had already settled; it is unchanged.') },
    errors: ['not_found'],
    owned: 'run',
  },
} as const satisfies OperationGroup;

const ref = z.strictObject({ ref: refText });

/** Saved crawls, by slug or id. */
export const crawlDefinitions = {
  list: {
    id: 'crawlDefinitions.list',
    method: 'GET',
    path: '/v1/crawl/definitions',
    summary: 'list saved crawls',
    scopes: ['read'],
    query: z.strictObject(listQuery),
    replies: { 200: list(CrawlDefinition, 'Saved crawls, newest first.') },
  },
  create: {
    id: 'crawlDefinitions.create',
    method: 'POST',
    path: '/v1/crawl/definitions',
    summary: 'save a crawl configuration',
    scopes: ['admin'],
    body: NewCrawlDefinition,
    replies: { 201: json(CrawlDefinition, 'The saved crawl.') },
    errors: ['conflict'],
    idempotency: 'replay',
  },
  read: {
    id: 'crawlDefinitions.read',
    method: 'GET',
    path: '/v1/crawl/definitions/{ref}',
    summary: 'read a saved crawl',
    scopes: ['read'],
    params: ref,
    replies: { 200: json(CrawlDefinition, 'The saved crawl.') },
    errors: ['not_found'],
  },
  update: {
    id: 'crawlDefinitions.update',
    method: 'PATCH',
    path: '/v1/crawl/definitions/{ref}',
    summary: 'update a saved crawl',
    scopes: ['admin'],
    params: ref,
    body: CrawlDefinitionPatch,
    replies: { 200: json(CrawlDefinition, 'The saved crawl as it is now.') },
    errors: ['not_found', 'conflict'],
  },
  delete: {
    id: 'crawlDefinitions.delete',
    method: 'DELETE',
    path: '/v1/crawl/definitions/{ref}',
    summary: 'delete a saved crawl',
    scopes: ['admin'],
    params: ref,
    replies: { 204: none('It is gone and its live runs are cancelled; what it collected stays as a dataset.') },
    errors: ['not_found'],
  },
  run: {
    id: 'crawlDefinitions.run',
    method: 'POST',
    path: '/v1/crawl/definitions/{ref}/run',
    summary: 'run a saved crawl (optional freshness reuse via `max_age`)',
    scopes: ['run'],
    params: ref,
    body: RunCrawlDefinition,
    isBodyOptional: true,
    replies: {
      200: json(Crawl, 'An earlier run that is recent enough (`reused`), or `wait` was sent and the crawl is settled.'),
      202: json(Crawl, 'The crawl is dispatched, or `wait` ran out of time.'),
    },
    errors: ['not_found', 'conflict', 'device_capacity', 'vault_locked'],
    idempotency: 'replay',
  },
  data: {
    id: 'crawlDefinitions.data',
    method: 'GET',
    path: '/v1/crawl/definitions/{ref}/data',
    summary: 'read what a saved crawl has already collected',
    scopes: ['read'],
    params: ref,
    query: crawlReadQuery,
    replies: { 200: cursorList(PageRecord, 'The newest record of each page, in the order in which they were kept.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
