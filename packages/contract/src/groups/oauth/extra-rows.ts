// Beyond the specification: who was let in by OAuth 2.1 (D18). Its protocol speaks outside /v1 and /x.
import { z } from 'zod';
import { listQuery } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json, list, none } from '../../replies.ts';
import { OAuthApproval, OAuthGrant } from './grant.ts';

const params = z.strictObject({ id: z.string().max(100) });

export const oauth = {
  approve: {
    id: 'oauth.approve',
    method: 'POST',
    path: '/x/oauth/approvals',
    summary: 'make the code that the consent page asks for; an earlier one is dead',
    scopes: ['runtime'],
    replies: { 201: json(OAuthApproval, 'The code and until when it is good.') },
  },
  grants: {
    id: 'oauth.grants',
    method: 'GET',
    path: '/x/oauth/grants',
    summary: 'list the programs that were let in',
    scopes: ['admin'],
    query: z.strictObject(listQuery),
    replies: { 200: list(OAuthGrant, 'Grants, newest first.') },
  },
  revoke: {
    id: 'oauth.revoke',
    method: 'DELETE',
    path: '/x/oauth/grants/{id}',
    summary: 'end a grant, its tokens and what they hold open',
    scopes: ['admin'],
    params,
    replies: { 204: none('It is gone; its open streams and tickets end within a second.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
