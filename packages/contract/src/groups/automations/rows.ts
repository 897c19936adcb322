// Group Automations.
import { z } from 'zod';
import { booleanText, integerText, rowIdText, wholeListQuery } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import type { OperationGroup } from '../../operation.ts';
import { bareList, json, none } from '../../replies.ts';
import { Run } from '../runs/run.ts';
import { Automation, AutomationPatch, NewAutomation } from './automation.ts';

const params = z.strictObject({ id: rowIdText });

export const automations = {
  list: {
    id: 'automations.list',
    method: 'GET',
    path: '/v1/automations',
    summary: 'list automations',
    scopes: ['read'],
    query: z.strictObject({
      ...wholeListQuery,
      q: z.string().min(1).max(200).optional().describe('Only those whose name holds this.'),
      enabled: booleanText.optional(),
    }),
    replies: { 200: bareList(Automation, 'Automations, newest first.') },
  },
  create: {
    id: 'automations.create',
    method: 'POST',
    path: '/v1/automations',
    summary: 'create an automation',
    scopes: ['admin'],
    body: NewAutomation,
    replies: { 201: json(Automation, 'The automation.') },
    errors: ['not_found'],
    idempotency: 'replay',
  },
  read: {
    id: 'automations.read',
    method: 'GET',
    path: '/v1/automations/{id}',
    summary: 'read an automation',
    scopes: ['read'],
    params,
    replies: { 200: json(Automation, 'The automation.') },
    errors: ['not_found'],
  },
  update: {
    id: 'automations.update',
    method: 'PATCH',
    path: '/v1/automations/{id}',
    summary: 'update an automation',
    scopes: ['admin'],
    params,
    body: AutomationPatch,
    replies: { 200: json(Automation, 'The automation as it is now; runs that go on keep what they began with.') },
    errors: ['not_found'],
  },
  delete: {
    id: 'automations.delete',
    method: 'DELETE',
    path: '/v1/automations/{id}',
    summary: 'delete an automation',
    scopes: ['admin'],
    params,
    replies: { 204: none('It is gone, its live runs are cancelled, and automations that name it are disabled.') },
    errors: ['not_found'],
  },
  enable: {
    id: 'automations.enable',
    method: 'POST',
    path: '/v1/automations/{id}/enable',
    summary: 'enable or disable an automation',
    scopes: ['admin'],
    params,
    body: z.strictObject({ enabled: z.boolean().optional().describe('The other way round unless said.') }),
    isBodyOptional: true,
    replies: { 200: json(Automation, 'The automation as it is now; live runs go on.') },
    errors: ['not_found'],
  },
  run: {
    id: 'automations.run',
    method: 'POST',
    path: '/v1/automations/{id}/run',
    summary: 'trigger an automation now',
    scopes: ['run'],
    params,
    query: z.strictObject({
      wait: booleanText.optional().describe('Answer when the run is settled.'),
      timeout: integerText(LIMITS.waitSecondsMin, LIMITS.waitSecondsMax).optional().describe('Seconds that `wait` waits; 120 unless said.'),
    }),
    body: z.strictObject({ payload: z.unknown().optional().describe('Any JSON: `{{trigger.payload}}` of its templates.') }),
    isBodyOptional: true,
    replies: {
      200: json(Run, 'It is settled: `wait` was sent, or its mode refused it. Its results are the trace. A failed one is a normal answer.'),
      202: json(Run, 'The run is dispatched, or `wait` ran out of time.'),
    },
    errors: ['not_found', 'device_capacity'],
    idempotency: 'replay',
  },
} as const satisfies OperationGroup;
