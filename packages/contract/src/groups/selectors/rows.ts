// Group Selectors.
import { z } from 'zod';
import { rowIdText, wholeListQuery } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { bareList, json, none } from '../../replies.ts';
import { Selector, SelectorPatch, SelectorSpec, SelectorTest, TestSelector } from './selector.ts';

const ofMonitor = z.strictObject({ id: rowIdText });
const params = z.strictObject({ id: rowIdText, selector_id: rowIdText });

export const selectors = {
  list: {
    id: 'selectors.list',
    method: 'GET',
    path: '/v1/monitors/{id}/selectors',
    summary: 'list selectors of a monitor',
    scopes: ['read'],
    params: ofMonitor,
    query: z.strictObject(wholeListQuery),
    replies: { 200: bareList(Selector, 'Selectors, in the order in which they were added.') },
    errors: ['not_found'],
  },
  create: {
    id: 'selectors.create',
    method: 'POST',
    path: '/v1/monitors/{id}/selectors',
    summary: 'add a selector to a monitor',
    scopes: ['admin'],
    params: ofMonitor,
    body: SelectorSpec,
    replies: { 201: json(Selector, "The selector. One that can't be parsed is refused with the place (D39).") },
    errors: ['not_found'],
    idempotency: 'replay',
  },
  read: {
    id: 'selectors.read',
    method: 'GET',
    path: '/v1/monitors/{id}/selectors/{selector_id}',
    summary: 'read a selector',
    scopes: ['read'],
    params,
    replies: { 200: json(Selector, 'The selector.') },
    errors: ['not_found'],
  },
  update: {
    id: 'selectors.update',
    method: 'PATCH',
    path: '/v1/monitors/{id}/selectors/{selector_id}',
    summary: 'update a selector',
    scopes: ['admin'],
    params,
    body: SelectorPatch,
    replies: { 200: json(Selector, 'The selector as it is now; one that looks elsewhere has no baseline any more.') },
    errors: ['not_found'],
  },
  delete: {
    id: 'selectors.delete',
    method: 'DELETE',
    path: '/v1/monitors/{id}/selectors/{selector_id}',
    summary: 'delete a selector',
    scopes: ['admin'],
    params,
    replies: { 204: none('It is gone with its extractors; its changes stay.') },
    errors: ['not_found'],
  },
  toggle: {
    id: 'selectors.toggle',
    method: 'POST',
    path: '/v1/monitors/{id}/selectors/{selector_id}/toggle',
    summary: 'toggle the active state of a selector',
    scopes: ['admin'],
    params,
    replies: { 200: json(Selector, 'The selector, now active if it was not, and the other way round.') },
    errors: ['not_found'],
  },
  test: {
    id: 'selectors.test',
    method: 'POST',
    path: '/v1/monitors/{id}/selectors/{selector_id}/test',
    summary: 'probe a selector against the live page',
    scopes: ['admin'],
    params,
    body: TestSelector,
    isBodyOptional: true,
    replies: { 200: json(SelectorTest, 'What it finds there now. Nothing of it is kept but the picture that was asked for.') },
    errors: ['not_found', 'captcha_required', 'device_capacity', 'vault_locked'],
  },
  setBaseline: {
    id: 'selectors.setBaseline',
    method: 'POST',
    path: '/v1/monitors/{id}/selectors/{selector_id}/set-baseline',
    summary: 'capture the selector baseline',
    scopes: ['admin'],
    params,
    replies: {
      200: json(
        Selector,
        'The selector with the baseline that the page gave just now. A page that could not be read keeps the one before.',
      ),
    },
    errors: ['not_found', 'conflict', 'captcha_required', 'vault_locked'],
  },
  clearBaseline: {
    id: 'selectors.clearBaseline',
    method: 'POST',
    path: '/v1/monitors/{id}/selectors/{selector_id}/clear-baseline',
    summary: 'clear the stored baseline',
    scopes: ['admin'],
    params,
    replies: { 200: json(Selector, 'The selector without one; its next check records it anew.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
