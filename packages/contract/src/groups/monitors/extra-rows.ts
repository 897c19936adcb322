// Beyond the specification: each check of a monitor with its verdict, what they saw over time, monitors of other programs, and tags, whose settings are passed on to the monitors that name them.
import { z } from 'zod';
import { listQuery, rowIdText } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json, list, none } from '../../replies.ts';
import { Check } from './check.ts';
import { exchange } from './exchange-rows.ts';
import { history } from './history-rows.ts';
import { Monitor } from './monitor.ts';
import { MonitorTag, MonitorTagPatch, NewMonitorTag } from './tag.ts';

const params = z.strictObject({ id: rowIdText });
const tagParams = z.strictObject({ name: z.string().max(100) });

export const monitors = {
  checks: {
    id: 'monitors.checks',
    method: 'GET',
    path: '/x/monitors/{id}/checks',
    summary: 'the checks of a monitor, gate by gate',
    scopes: ['read'],
    params,
    query: z.strictObject({ ...listQuery, verdict: Check.shape.verdict.optional() }),
    replies: {
      200: list(Check, 'Checks that are kept, newest first: those that changed something, and the last twenty that did not (D23).'),
    },
    errors: ['not_found'],
  },
  toggle: {
    id: 'monitors.toggle',
    method: 'POST',
    path: '/x/monitors/{id}/toggle',
    summary: 'pause or resume a monitor',
    scopes: ['admin'],
    params,
    replies: { 200: json(Monitor, 'The monitor, now active if it was not, and the other way round.') },
    errors: ['not_found', 'device_capacity'],
  },
  ...history,
  ...exchange,
} as const satisfies OperationGroup;

export const monitorTags = {
  list: {
    id: 'monitorTags.list',
    method: 'GET',
    path: '/x/monitors/tags',
    summary: 'tags that have settings',
    scopes: ['read'],
    query: z.strictObject(listQuery),
    replies: { 200: list(MonitorTag, 'Tags in order of their names.') },
  },
  put: {
    id: 'monitorTags.put',
    method: 'POST',
    path: '/x/monitors/tags',
    summary: 'give a tag its settings',
    scopes: ['admin'],
    body: NewMonitorTag,
    replies: {
      200: json(MonitorTag, 'The tag of that name has these settings and no others.'),
      201: json(MonitorTag, 'The new tag; monitors that name it already have its settings.'),
    },
    errors: ['not_found', 'device_capacity'],
    idempotency: 'replay',
  },
  read: {
    id: 'monitorTags.read',
    method: 'GET',
    path: '/x/monitors/tags/{name}',
    summary: 'read a tag',
    scopes: ['read'],
    params: tagParams,
    replies: { 200: json(MonitorTag, 'The tag.') },
    errors: ['not_found'],
  },
  update: {
    id: 'monitorTags.update',
    method: 'PATCH',
    path: '/x/monitors/tags/{name}',
    summary: 'change the settings of a tag',
    scopes: ['admin'],
    params: tagParams,
    body: MonitorTagPatch,
    replies: { 200: json(MonitorTag, 'The tag as it is now; monitors whose schedule is another one by that are due anew.') },
    errors: ['not_found', 'device_capacity'],
  },
  delete: {
    id: 'monitorTags.delete',
    method: 'DELETE',
    path: '/x/monitors/tags/{name}',
    summary: 'delete the settings of a tag',
    scopes: ['admin'],
    params: tagParams,
    replies: { 204: none('It passes nothing on any more; monitors go on naming it.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
