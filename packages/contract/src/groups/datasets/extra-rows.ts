// Beyond the specification: datasets are renamed and deleted, one record is read whole, and two runs are held against each other.
import { z } from 'zod';
import { integerText, rowIdText, runIdText } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import type { OperationGroup } from '../../operation.ts';
import { json, none } from '../../replies.ts';
import { DatasetDiff } from './diff.ts';
import { Dataset, DatasetRecord } from './dataset.ts';

const params = z.strictObject({ id: rowIdText });
const NAME_CHARS_MAX = 200;

export const datasets = {
  rename: {
    id: 'datasets.rename',
    method: 'PATCH',
    path: '/x/datasets/{id}',
    summary: 'give a dataset another name',
    scopes: ['admin'],
    params,
    body: z.strictObject({ name: z.string().trim().min(1, 'is empty').max(NAME_CHARS_MAX) }).meta({ id: 'RenameDataset' }),
    replies: { 200: json(Dataset, 'The dataset as it is now.') },
    errors: ['not_found'],
  },
  delete: {
    id: 'datasets.delete',
    method: 'DELETE',
    path: '/x/datasets/{id}',
    summary: 'delete a dataset with all of its records',
    scopes: ['admin'],
    params,
    replies: { 204: none('It is gone, from every view and from search; the runs that filled it stay.') },
    errors: ['not_found', 'conflict'],
  },
  record: {
    id: 'datasets.record',
    method: 'GET',
    path: '/x/datasets/{id}/records/{record}',
    summary: 'one record, whole',
    scopes: ['read'],
    params: z.strictObject({ id: rowIdText, record: rowIdText }),
    replies: { 200: json(DatasetRecord, 'The record.') },
    errors: ['not_found'],
  },
  diff: {
    id: 'datasets.diff',
    method: 'GET',
    path: '/x/datasets/{id}/diff',
    summary: 'what differs between the records of two runs: new, changed, gone, equal',
    scopes: ['read'],
    params,
    query: z.strictObject({
      from: runIdText.optional().describe('The older run; unless said the newest one before `to` that has records here.'),
      to: runIdText.optional().describe('The newer run; the newest that has records here unless said.'),
      limit: integerText(0, LIMITS.listLimitMax).optional().describe(`How many changes at most; ${LIMITS.listLimitDefault} unless said.`),
      offset: integerText(0, 999_999_999).optional().describe('How many to pass over first.'),
    }),
    replies: { 200: json(DatasetDiff, 'All counts, and a part of the changes.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
