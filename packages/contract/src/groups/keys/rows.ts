// Group Keys (D14, D15).
import { z } from 'zod';
import type { OperationGroup } from '../../operation.ts';
import { listQuery } from '../../ids.ts';
import { json, list, none } from '../../replies.ts';
import { Key, MintedKey, ScopeList } from './key.ts';

const params = z.strictObject({ id: z.string().max(100) });

export const MintKey = z.strictObject({ name: z.string().trim().min(1).max(200), scopes: ScopeList }).meta({ id: 'MintKey' });

export const keys = {
  list: {
    id: 'keys.list',
    method: 'GET',
    path: '/v1/keys',
    summary: 'list API keys',
    scopes: ['admin'],
    query: z.strictObject(listQuery),
    replies: { 200: list(Key, 'Keys, newest first.') },
  },
  create: {
    id: 'keys.create',
    method: 'POST',
    path: '/v1/keys',
    summary: 'mint a restricted API key',
    scopes: ['runtime'],
    body: MintKey,
    replies: { 201: json(MintedKey, 'The key record and, this once, its token.') },
    errors: ['conflict'],
    idempotency: 'once',
  },
  read: {
    id: 'keys.read',
    method: 'GET',
    path: '/v1/keys/{id}',
    summary: 'read a key record',
    scopes: ['admin'],
    params,
    replies: { 200: json(Key, 'The key record.') },
    errors: ['not_found'],
  },
  delete: {
    id: 'keys.delete',
    method: 'DELETE',
    path: '/v1/keys/{id}',
    summary: 'delete a key record',
    scopes: ['admin'],
    params,
    replies: { 204: none('The key is gone; its open streams and tickets end within a second.') },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
