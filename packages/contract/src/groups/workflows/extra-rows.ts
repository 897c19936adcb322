// Beyond the specification: what workflows were, copies of them, and other ways to run them.
import { z } from 'zod';
import { integerText, rowId, rowIdText, slug } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json, list, none } from '../../replies.ts';
import { LIMITS } from '../../limits.ts';
import { Run, RunFailure } from '../runs/run.ts';
import { IMPORT_BYTES_MAX, LeftOut, RECORDING_FORMATS } from './exchange.ts';
import { Identifier } from './step-fields.ts';
import {
  BulkRun,
  NewWorkflow,
  RevisionDiff,
  Workflow,
  WorkflowCandidate,
  WorkflowGuard,
  WorkflowRepair,
  WorkflowRevision,
  Headed,
} from './workflow.ts';

const params = z.strictObject({ id: rowIdText });
const revision = integerText(1, 999_999_999);
const inputs = z.record(Identifier, z.unknown());

/** What calling a workflow as a function answers, as a published function of the cloud does. */
const FunctionAnswer = z
  .strictObject({
    data: z.unknown().describe('The output of the workflow; its rows where it has none. Null where it failed before its output.'),
    status: z.enum(['succeeded', 'failed']),
    run_id: rowId,
    failure: RunFailure.optional().describe('Why it failed.'),
  })
  .meta({ id: 'FunctionAnswer' });

export const workflows = {
  call: {
    id: 'workflows.call',
    method: 'POST',
    path: '/x/functions/{slug}',
    summary: 'call a workflow as a function: its inputs are the body, its rows the answer',
    scopes: ['run'],
    params: z.strictObject({ slug }),
    body: inputs.meta({ id: 'WorkflowInputs' }),
    isBodyOptional: true,
    replies: {
      200: json(
        FunctionAnswer,
        `The settled run; a failed one is a normal answer. It is ended after ${LIMITS.waitSecondsDefault} seconds.`,
      ),
    },
    errors: ['not_found', 'conflict', 'device_capacity', 'vault_locked'],
    idempotency: 'replay',
  },
  revisions: {
    id: 'workflows.revisions',
    method: 'GET',
    path: '/x/workflows/{id}/revisions',
    summary: 'what a workflow was, change by change',
    scopes: ['read'],
    params,
    replies: { 200: list(WorkflowRevision, 'Revisions, newest first, without their steps.') },
    errors: ['not_found'],
  },
  readRevision: {
    id: 'workflows.readRevision',
    method: 'GET',
    path: '/x/workflows/{id}/revisions/{revision}',
    summary: 'a workflow as it was at one revision',
    scopes: ['read'],
    params: z.strictObject({ id: rowIdText, revision }),
    replies: { 200: json(WorkflowRevision, 'The revision with its definition.') },
    errors: ['not_found'],
  },
  compareRevisions: {
    id: 'workflows.compareRevisions',
    method: 'GET',
    path: '/x/workflows/{id}/compare',
    summary: 'what differs between two revisions of a workflow',
    scopes: ['read'],
    params,
    query: z.strictObject({ from: revision, to: revision }),
    replies: { 200: json(RevisionDiff, 'Steps by their ids, and the other members.') },
    errors: ['not_found'],
  },
  restoreRevision: {
    id: 'workflows.restoreRevision',
    method: 'POST',
    path: '/x/workflows/{id}/revisions/{revision}/restore',
    summary: 'make an earlier revision of a workflow its newest',
    scopes: ['admin'],
    params: z.strictObject({ id: rowIdText, revision }),
    replies: { 200: json(Workflow, 'The workflow as it is now: a new revision with the definition of the old one.') },
    errors: ['not_found'],
  },
  guards: {
    id: 'workflows.guards',
    method: 'GET',
    path: '/x/workflows/{id}/guards',
    summary: 'what the steps of a workflow are held against',
    scopes: ['read'],
    params,
    replies: { 200: list(WorkflowGuard, 'Of the newest revision, by step, the newest run first; empty before its first good run.') },
    errors: ['not_found'],
  },
  candidate: {
    id: 'workflows.candidate',
    method: 'GET',
    path: '/x/workflows/{id}/candidate',
    summary: 'whether the runs of a workflow could go by HTTP instead of in a browser',
    scopes: ['read'],
    params,
    replies: { 200: json(WorkflowCandidate, 'The candidate of the newest revision.') },
    errors: ['not_found'],
  },
  repairs: {
    id: 'workflows.repairs',
    method: 'GET',
    path: '/x/workflows/{id}/repairs',
    summary: 'steps that no longer found their element, and where it may stand now',
    scopes: ['read'],
    params,
    replies: { 200: list(WorkflowRepair, 'Of the newest revision, by step.') },
    errors: ['not_found'],
  },
  acceptRepair: {
    id: 'workflows.acceptRepair',
    method: 'POST',
    path: '/x/workflows/{id}/repairs/{step}/accept',
    summary: 'make a proposed step part of the workflow',
    scopes: ['admin'],
    params: z.strictObject({ id: rowIdText, step: Identifier }),
    replies: { 200: json(Workflow, 'The workflow with that step: a new revision.') },
    errors: ['not_found'],
  },
  dismissRepair: {
    id: 'workflows.dismissRepair',
    method: 'DELETE',
    path: '/x/workflows/{id}/repairs/{step}',
    summary: 'leave a step as it is',
    scopes: ['admin'],
    params: z.strictObject({ id: rowIdText, step: Identifier }),
    replies: { 204: none('The proposal is gone; the next run that does not find the element makes another.') },
    errors: ['not_found'],
  },
  forgetGuards: {
    id: 'workflows.forgetGuards',
    method: 'DELETE',
    path: '/x/workflows/{id}/guards',
    summary: 'accept how pages are now: the next good run is learned from anew, and by HTTP is tried anew',
    scopes: ['admin'],
    params,
    replies: { 204: none('Nothing is known any more.') },
    errors: ['not_found'],
  },
  copy: {
    id: 'workflows.copy',
    method: 'POST',
    path: '/x/workflows/{id}/copy',
    summary: 'make another workflow of one',
    scopes: ['admin'],
    params,
    body: z.strictObject({ name: z.string().min(1).max(200).optional().describe('The name of the copy.'), slug: slug.optional() }),
    isBodyOptional: true,
    replies: { 201: json(Workflow, 'The copy, at its first revision.') },
    errors: ['not_found', 'conflict'],
    idempotency: 'replay',
  },
  dryRun: {
    id: 'workflows.dryRun',
    method: 'POST',
    path: '/x/workflows/{id}/dry-run',
    summary: 'run a workflow up to one of its steps',
    scopes: ['admin'],
    params,
    body: z.strictObject({
      until: Identifier.describe('The step that is the last: beside others of the workflow, or inside of one.'),
      inputs: inputs.optional(),
      pins: z.record(Identifier, z.unknown()).optional().describe('By the id of a step what it gives instead of being executed.'),
      headed: Headed.optional(),
    }),
    replies: { 202: json(Run, 'The run is dispatched; its rows are told and not kept.') },
    errors: ['not_found', 'device_capacity', 'vault_locked'],
    idempotency: 'replay',
  },
  bulk: {
    id: 'workflows.bulk',
    method: 'POST',
    path: '/x/workflows/{id}/bulk',
    summary: 'run a workflow once for each row of a file or a dataset',
    scopes: ['admin'],
    params,
    body: z
      .strictObject({
        file_id: z.string().min(1).max(100).optional().describe('CSV with a heading, a JSON list, or JSON lines.'),
        dataset_id: rowId.optional(),
        map: z
          .record(Identifier, z.string().min(1).max(200))
          .optional()
          .describe('By input the column that it is taken from; the column of its name unless said.'),
        limit: z.int().min(1).max(1000).optional().describe('Rows at most; 1,000 unless said.'),
      })
      .check((context) => {
        const { file_id, dataset_id } = context.value;
        if ((file_id === undefined) === (dataset_id === undefined))
          context.issues.push({ code: 'custom', message: 'must have either "file_id" or "dataset_id"', input: context.value });
      })
      .meta({ oneOf: [{ required: ['file_id'] }, { required: ['dataset_id'] }] }),
    replies: { 202: json(BulkRun, 'The runs are dispatched.') },
    errors: ['not_found', 'device_capacity', 'vault_locked'],
    idempotency: 'replay',
  },
  import: {
    id: 'workflows.import',
    method: 'POST',
    path: '/x/workflows/import',
    summary: 'read a recording of another program as a workflow',
    scopes: ['admin'],
    body: z.strictObject({
      format: z.enum(RECORDING_FORMATS).describe('`devtools` for JSON of the DevTools Recorder, `har` for an HTTP archive.'),
      content: z.string().min(1).max(IMPORT_BYTES_MAX).describe('The file.'),
    }),
    bodyBytesMax: IMPORT_BYTES_MAX,
    replies: {
      200: json(
        z.strictObject({ workflow: NewWorkflow, left_out: z.array(LeftOut) }),
        'The workflow, which is kept nowhere yet, and what of the file is not in it.',
      ),
    },
  },
  export: {
    id: 'workflows.export',
    method: 'GET',
    path: '/x/workflows/{id}/export',
    summary: 'a workflow as a recording of the DevTools Recorder',
    scopes: ['read', 'run'],
    params: z.strictObject({ id: rowIdText }),
    replies: {
      200: json(
        z.strictObject({ title: z.string(), steps: z.array(z.record(z.string(), z.unknown())) }),
        'The recording; steps that the Recorder has no word for are custom steps, from which an import makes the same workflow.',
      ),
    },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
