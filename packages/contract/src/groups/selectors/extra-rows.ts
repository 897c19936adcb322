// Beyond the specification: what becomes of a proposed repair of a selector (D37).
import { z } from 'zod';
import { rowIdText } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { Selector } from './selector.ts';

const params = z.strictObject({ id: rowIdText, selector_id: rowIdText });

export const selectors = {
  accept: {
    id: 'selectors.accept',
    method: 'POST',
    path: '/x/monitors/{id}/selectors/{selector_id}/accept',
    summary: 'take a proposed repair over',
    scopes: ['admin'],
    params,
    replies: {
      200: json(
        Selector,
        'The selector as it was proposed. Its values go on being compared with those before; the next check records the baseline anew.',
      ),
    },
    errors: ['not_found', 'conflict'],
  },
  dismiss: {
    id: 'selectors.dismiss',
    method: 'POST',
    path: '/x/monitors/{id}/selectors/{selector_id}/dismiss',
    summary: 'refuse a proposed repair',
    scopes: ['admin'],
    params,
    replies: {
      200: json(
        Selector,
        'The selector without it. It is not proposed again, and checks take nothing for the target that was found by it.',
      ),
    },
    errors: ['not_found', 'conflict'],
  },
} as const satisfies OperationGroup;
