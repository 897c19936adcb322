// Group Secrets: metadata only (D5, D34).
import { z } from 'zod';
import { listQuery } from '../../ids.ts';
import type { OperationGroup } from '../../operation.ts';
import { json, list, none } from '../../replies.ts';
import { NewSecret, Secret } from './secret.ts';

const params = z.strictObject({ key: z.string().max(100) });

export const secrets = {
  list: {
    id: 'secrets.list',
    method: 'GET',
    path: '/v1/secrets',
    summary: 'list secrets (metadata only)',
    scopes: ['read'],
    query: z.strictObject(listQuery),
    replies: { 200: list(Secret, 'Secrets in order of their keys.') },
  },
  create: {
    id: 'secrets.create',
    method: 'POST',
    path: '/v1/secrets',
    summary: 'create a secret',
    scopes: ['admin'],
    body: NewSecret,
    replies: { 200: json(Secret, 'The secret of that key has the new value.'), 201: json(Secret, 'The new secret.') },
    errors: ['conflict', 'vault_locked'],
    idempotency: 'replay',
  },
  read: {
    id: 'secrets.read',
    method: 'GET',
    path: '/v1/secrets/{key}',
    summary: "read a secret's metadata",
    scopes: ['read'],
    params,
    replies: { 200: json(Secret, 'What is told of it.') },
    errors: ['not_found'],
  },
  delete: {
    id: 'secrets.delete',
    method: 'DELETE',
    path: '/v1/secrets/{key}',
    summary: 'delete a secret',
    scopes: ['admin'],
    params,
    replies: { 204: none('It is gone.') },
    errors: ['not_found', 'vault_locked'],
  },
} as const satisfies OperationGroup;
