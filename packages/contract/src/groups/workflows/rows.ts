// Group Workflows.
import { z } from 'zod';
import { booleanText, integerText, listQuery, rowIdText } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import type { OperationGroup } from '../../operation.ts';
import { json, list, none } from '../../replies.ts';
import { Run } from '../runs/run.ts';
import { NewWorkflow, RunWorkflow, Workflow, WorkflowPatch, WorkflowSession, WorkflowSummary } from './workflow.ts';

const params = z.strictObject({ id: rowIdText });
const ofPersona = z.strictObject({
  persona_id: rowIdText.optional().describe('The session of this persona; the one without unless said.'),
});

export const workflows = {
  list: {
    id: 'workflows.list',
    method: 'GET',
    path: '/v1/workflows',
    summary: 'list workflows',
    scopes: ['read', 'run'],
    query: z.strictObject({ ...listQuery, q: z.string().min(1).max(200).optional().describe('Only those whose name or slug holds this.') }),
    replies: { 200: list(WorkflowSummary, 'Workflows, newest first.') },
  },
  create: {
    id: 'workflows.create',
    method: 'POST',
    path: '/v1/workflows',
    summary: 'create a workflow',
    scopes: ['admin'],
    body: NewWorkflow,
    replies: { 201: json(Workflow, 'The workflow.') },
    errors: ['conflict'],
    idempotency: 'replay',
  },
  read: {
    id: 'workflows.read',
    method: 'GET',
    path: '/v1/workflows/{id}',
    summary: 'read a workflow',
    scopes: ['read', 'run'],
    params,
    replies: { 200: json(Workflow, 'The workflow.') },
    errors: ['not_found'],
  },
  update: {
    id: 'workflows.update',
    method: 'PATCH',
    path: '/v1/workflows/{id}',
    summary: 'update a workflow',
    scopes: ['admin'],
    params,
    body: WorkflowPatch,
    replies: { 200: json(Workflow, 'The workflow as it is now.') },
    errors: ['not_found', 'conflict'],
  },
  delete: {
    id: 'workflows.delete',
    method: 'DELETE',
    path: '/v1/workflows/{id}',
    summary: 'delete a workflow',
    scopes: ['admin'],
    params,
    replies: { 204: none('It is gone with its revisions, and its live runs are cancelled; what it collected stays as a dataset.') },
    errors: ['not_found', 'vault_locked'],
  },
  run: {
    id: 'workflows.run',
    method: 'POST',
    path: '/v1/workflows/{id}/run',
    summary: 'run a workflow (asynchronous by default, or wait)',
    scopes: ['run'],
    params,
    query: z.strictObject({
      wait: booleanText.optional().describe('Answer when the run is settled.'),
      timeout: integerText(LIMITS.waitSecondsMin, LIMITS.waitSecondsMax).optional().describe('Seconds that `wait` waits; 120 unless said.'),
    }),
    body: RunWorkflow,
    isBodyOptional: true,
    replies: {
      200: json(Run, '`wait` was sent and the run is settled; a failed one is a normal answer.'),
      202: json(Run, 'The run is dispatched, or `wait` ran out of time.'),
    },
    errors: ['not_found', 'conflict', 'device_capacity', 'vault_locked'],
    idempotency: 'replay',
  },
  cancel: {
    id: 'workflows.cancel',
    method: 'POST',
    path: '/v1/workflows/{id}/cancel',
    summary: 'cancel the most recent live run of the workflow',
    scopes: ['run'],
    params,
    replies: { 200: json(Run, 'The run, cancelled.'), 409: json(Run, 'Its newest run had already settled; it is unchanged.') },
    errors: ['not_found'],
  },
  session: {
    id: 'workflows.session',
    method: 'GET',
    path: '/v1/workflows/{id}/session',
    summary: 'state of the browserless HTTP-lane session',
    scopes: ['read'],
    params,
    query: ofPersona,
    replies: { 200: json(WorkflowSession, 'What is kept, without any value.') },
    errors: ['not_found'],
  },
  clearSession: {
    id: 'workflows.clearSession',
    method: 'DELETE',
    path: '/v1/workflows/{id}/session',
    summary: 'clear the persisted session',
    scopes: ['admin'],
    params,
    query: ofPersona,
    replies: { 204: none('Nothing is kept any more: of one persona where one is named, else of all.') },
    errors: ['not_found', 'vault_locked'],
  },
} as const satisfies OperationGroup;
