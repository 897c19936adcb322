// Group Extractors.
import { z } from 'zod';
import { rowIdText, wholeListQuery } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { bareList, json, none } from '../../replies.ts';
import { Extractor, ExtractorPatch, ExtractorTest, NewExtractor } from './extractor.ts';

const params = z.strictObject({ extractor_id: rowIdText });

export const extractors = {
  list: {
    id: 'extractors.list',
    method: 'GET',
    path: '/v1/selectors/{selector_id}/extractors',
    summary: 'list extractors of a selector',
    scopes: ['read'],
    params: z.strictObject({ selector_id: rowIdText }),
    query: z.strictObject(wholeListQuery),
    replies: { 200: bareList(Extractor, 'Extractors, in the order in which they were added.') },
    errors: ['not_found'],
  },
  create: {
    id: 'extractors.create',
    method: 'POST',
    path: '/v1/extractors',
    summary: 'create an extractor',
    scopes: ['admin'],
    body: NewExtractor,
    replies: { 201: json(Extractor, 'The extractor.') },
    errors: ['not_found'],
    idempotency: 'replay',
  },
  read: {
    id: 'extractors.read',
    method: 'GET',
    path: '/v1/extractors/{extractor_id}',
    summary: 'read an extractor',
    scopes: ['read'],
    params,
    replies: { 200: json(Extractor, 'The extractor.') },
    errors: ['not_found'],
  },
  update: {
    id: 'extractors.update',
    method: 'PATCH',
    path: '/v1/extractors/{extractor_id}',
    summary: 'update an extractor',
    scopes: ['admin'],
    params,
    body: ExtractorPatch,
    replies: { 200: json(Extractor, 'The extractor as it is now; one that reads something else knows no value any more.') },
    errors: ['not_found'],
  },
  delete: {
    id: 'extractors.delete',
    method: 'DELETE',
    path: '/v1/extractors/{extractor_id}',
    summary: 'delete an extractor',
    scopes: ['admin'],
    params,
    replies: { 204: none('It is gone; its changes stay.') },
    errors: ['not_found'],
  },
  toggle: {
    id: 'extractors.toggle',
    method: 'PATCH',
    path: '/v1/extractors/{extractor_id}/toggle',
    summary: 'toggle the active state of an extractor',
    scopes: ['admin'],
    params,
    replies: { 200: json(Extractor, 'The extractor, now active if it was not, and the other way round.') },
    errors: ['not_found'],
  },
  test: {
    id: 'extractors.test',
    method: 'POST',
    path: '/v1/extractors/{extractor_id}/test',
    summary: 'test a saved extractor',
    scopes: ['admin'],
    params,
    replies: { 200: json(ExtractorTest, 'What it reads on the live page. Nothing of it is kept.') },
    errors: ['not_found', 'captcha_required', 'vault_locked'],
  },
} as const satisfies OperationGroup;
