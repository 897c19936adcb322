// Beyond the specification: hosts that asked to be left alone, and the person who has them asked again.
import { z } from 'zod';
import { webUrl } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json, list } from '../../replies.ts';
import { RestingHost } from './host.ts';

const AskAgain = z.strictObject({ url: webUrl.describe('Any address of the host.') }).meta({ id: 'AskHostAgain' });
const AskedAgain = z.strictObject({ host: z.string(), asked_again: z.literal(true) }).meta({ id: 'HostAskedAgain' });

export const hosts = {
  list: {
    id: 'hosts.list',
    method: 'GET',
    path: '/x/hosts',
    summary: 'hosts that asked to be left alone: until when, and why',
    scopes: ['read'],
    replies: { 200: list(RestingHost, 'The one that is back last first.') },
  },
  askAgain: {
    id: 'hosts.askAgain',
    method: 'POST',
    path: '/x/hosts/ask-again',
    summary: 'ask a host again before the time that it named',
    scopes: ['admin'],
    body: AskAgain,
    replies: { 200: json(AskedAgain, 'The next request to it goes out, one at a time until it answers.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
