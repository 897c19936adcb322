// Management of an account, beyond the specification (D1, D42, D43): its keys and its credits.
import { z } from 'zod';
import { instant, listQuery } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';
import { json, list, none } from '../replies.ts';

const ROLES = ['owner', 'api'] as const;
/** `owner` manages the account; `api` calls what is metered. */
export const KeyRole = z.enum(ROLES);
export type KeyRole = z.infer<typeof KeyRole>;

const keyFields = {
  id: z.string().describe('`key_` and a random part.'),
  name: z.string(),
  role: KeyRole,
  created_at: instant,
  last_used_at: instant.optional().describe('To the minute.'),
};

const AccountKey = z.strictObject(keyFields).meta({ id: 'AccountKey' });
const MintedAccountKey = z
  .strictObject({ ...keyFields, token: z.string().describe('Shown this once; only its hash is kept.') })
  .meta({ id: 'MintedAccountKey' });
const NewAccountKey = z
  .strictObject({ name: z.string().min(1).max(100), role: KeyRole.optional().describe('`api` unless said.') })
  .meta({ id: 'CreateAccountKey' });
const keyParams = z.strictObject({ id: z.string().regex(/^key_[A-Za-z0-9_-]{22}$/, 'must be the id of a key, `key_...`') });

/** Keys of an account: an owner's alone. */
export const accountKeys = {
  list: {
    id: 'accountKeys.list',
    method: 'GET',
    path: '/api/account/keys',
    summary: 'list the keys of the account',
    scopes: ['admin'],
    query: z.strictObject(listQuery),
    replies: { 200: list(AccountKey, 'Oldest first.') },
  },
  create: {
    id: 'accountKeys.create',
    method: 'POST',
    path: '/api/account/keys',
    summary: 'mint a key',
    scopes: ['admin'],
    body: NewAccountKey,
    replies: { 201: json(MintedAccountKey, 'With its token, this once.') },
    errors: ['conflict'],
    idempotency: 'once',
  },
  delete: {
    id: 'accountKeys.delete',
    method: 'DELETE',
    path: '/api/account/keys/{id}',
    summary: 'delete a key',
    scopes: ['admin'],
    params: keyParams,
    replies: { 204: none('Gone.') },
    errors: ['not_found', 'conflict'],
  },
} as const satisfies OperationGroup;

const Balance = z
  .strictObject({
    available: z.int().min(0).describe('What can be spent now.'),
    held: z.int().min(0).describe('Reserved by calls under way.'),
    spent: z.int().min(0),
    granted: z.int().min(0).describe('available + held + spent, always.'),
  })
  .meta({ id: 'CreditBalance' });

const Entry = z
  .strictObject({
    id: z.int(),
    at: instant,
    kind: z.enum(['grant', 'reserve', 'settle', 'refund']),
    from: z.string().describe('The book that the credits left.'),
    to: z.string().describe('The book that they came to.'),
    amount: z.int().min(1),
    hold_id: z.string().optional().describe('What a reserve and its end have in common.'),
    operation: z.string().optional(),
    about: z.string().optional().describe('What was paid for.'),
  })
  .meta({ id: 'LedgerEntry' });

/** What an account has, and every movement of it. */
export const credits = {
  balance: {
    id: 'credits.balance',
    method: 'GET',
    path: '/api/account/credits',
    summary: 'what the account has, holds and has spent',
    scopes: ['read'],
    replies: { 200: json(Balance, 'In credits.') },
  },
  ledger: {
    id: 'credits.ledger',
    method: 'GET',
    path: '/api/account/ledger',
    summary: 'every movement of credits',
    scopes: ['read'],
    query: z.strictObject(listQuery),
    replies: { 200: list(Entry, 'Newest first.') },
  },
} as const satisfies OperationGroup;
