// Group Monitors.
import { z } from 'zod';
import { booleanText, instantText, integerText, listQuery, rowIdText, wholeListQuery } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import type { OperationGroup } from '../../operation.ts';
import { bareList, json, list, none } from '../../replies.ts';
import { Run } from '../runs/run.ts';
import { Change, ChangeKind } from './change.ts';
import { Capacity, Monitor, MonitorPatch, NewMonitor } from './monitor.ts';

const params = z.strictObject({ id: rowIdText });
const ofChanges = {
  kind: ChangeKind.optional().describe('Only this kind.'),
  since: instantText.optional().describe('Only those from then on.'),
};

export const monitors = {
  list: {
    id: 'monitors.list',
    method: 'GET',
    path: '/v1/monitors',
    summary: 'list monitors',
    scopes: ['read'],
    query: z.strictObject({
      ...wholeListQuery,
      q: z.string().min(1).max(200).optional().describe('Only those whose name or address holds this.'),
      tag: z.string().min(1).max(63).optional(),
      active: booleanText.optional(),
      trouble: booleanText.optional().describe('Only those that could not be looked at when they last were, or only the others.'),
    }),
    replies: { 200: bareList(Monitor, 'Monitors, newest first.') },
  },
  create: {
    id: 'monitors.create',
    method: 'POST',
    path: '/v1/monitors',
    summary: 'create a monitor',
    scopes: ['admin'],
    body: NewMonitor,
    replies: { 201: json(Monitor, 'The monitor; its first check is due at once.') },
    errors: ['not_found', 'device_capacity'],
    idempotency: 'replay',
  },
  capacity: {
    id: 'monitors.capacity',
    method: 'GET',
    path: '/v1/monitors/capacity',
    summary: 'device check-capacity gauge',
    scopes: ['read'],
    query: z.strictObject({
      every: integerText(5, 31_536_000).optional().describe('Seconds between the checks of the one more; 3,600 unless said.'),
    }),
    replies: { 200: json(Capacity, 'What checks cost here, what is asked for, and what one more would make of it.') },
  },
  read: {
    id: 'monitors.read',
    method: 'GET',
    path: '/v1/monitors/{id}',
    summary: 'read a monitor',
    scopes: ['read'],
    params,
    replies: { 200: json(Monitor, 'The monitor.') },
    errors: ['not_found'],
  },
  update: {
    id: 'monitors.update',
    method: 'PATCH',
    path: '/v1/monitors/{id}',
    summary: 'update a monitor',
    scopes: ['admin'],
    params,
    body: MonitorPatch,
    replies: { 200: json(Monitor, 'The monitor as it is now; what is known of its values stays.') },
    errors: ['not_found', 'device_capacity'],
  },
  delete: {
    id: 'monitors.delete',
    method: 'DELETE',
    path: '/v1/monitors/{id}',
    summary: 'delete a monitor',
    scopes: ['admin'],
    params,
    replies: { 204: none('It is gone with its selectors, and its live checks are cancelled; what it collected stays as a dataset.') },
    errors: ['not_found'],
  },
  run: {
    id: 'monitors.run',
    method: 'POST',
    path: '/v1/monitors/{id}/run',
    summary: 'run a check now',
    scopes: ['run'],
    params,
    query: z.strictObject({
      wait: booleanText.optional().describe('Answer when the check is settled.'),
      timeout: integerText(LIMITS.waitSecondsMin, LIMITS.waitSecondsMax).optional().describe('Seconds that `wait` waits; 120 unless said.'),
    }),
    replies: {
      200: json(Run, '`wait` was sent and the check is settled; its results are the verdict. A failed one is a normal answer.'),
      202: json(Run, 'The check is dispatched, or `wait` ran out of time.'),
    },
    errors: ['not_found', 'device_capacity', 'vault_locked'],
    idempotency: 'replay',
  },
  changes: {
    id: 'monitors.changes',
    method: 'GET',
    path: '/v1/monitors/{id}/changes',
    summary: 'change and availability history of a monitor',
    scopes: ['read'],
    params,
    query: z.strictObject({ ...listQuery, ...ofChanges }),
    replies: { 200: list(Change, 'Changes, newest first.') },
    errors: ['not_found'],
  },
  recentChanges: {
    id: 'monitors.recentChanges',
    method: 'GET',
    path: '/v1/changes/recent',
    summary: 'recent changes across all monitors',
    scopes: ['read'],
    query: z.strictObject({ ...wholeListQuery, ...ofChanges, tag: z.string().min(1).max(63).optional() }),
    replies: { 200: bareList(Change, 'Of the last 30 days unless `since` is sent, newest first.') },
  },
} as const satisfies OperationGroup;
