// Management of an account, beyond the specification (D1, D42): what it is, and its keys.
import { z } from 'zod';
import { instant, listQuery } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';
import { json, list, none } from '../replies.ts';

/** How long what an account brought is kept, in days. */
export const RETENTION_DAYS = { default: 30, max: 3650 } as const;

const retention = z
  .int()
  .min(1)
  .max(RETENTION_DAYS.max)
  .describe(`Days that pages, crawls and answers are kept; ${RETENTION_DAYS.default} unless changed. The ledger stays.`);

const Account = z
  .strictObject({ id: z.string().describe('`acct_` and a random part.'), name: z.string(), retention_days: retention, created_at: instant })
  .meta({ id: 'Account' });

/** The account itself. */
export const account = {
  read: {
    id: 'account.read',
    method: 'GET',
    path: '/api/account',
    summary: 'read the account',
    scopes: ['read'],
    replies: { 200: json(Account, 'The account of the key.') },
  },
  update: {
    id: 'account.update',
    method: 'PATCH',
    path: '/api/account',
    summary: 'rename the account, or change how long it keeps things',
    scopes: ['admin'],
    body: z
      .strictObject({ name: z.string().min(1).max(100).optional(), retention_days: retention.optional() })
      .meta({ id: 'AccountPatch' }),
    replies: { 200: json(Account, 'The account as it is now; what is past a shorter time goes within a minute.') },
  },
  delete: {
    id: 'account.delete',
    method: 'DELETE',
    path: '/api/account',
    summary: 'delete the account with everything that it has',
    scopes: ['admin'],
    query: z.strictObject({ confirm: z.string().max(100).describe('The id of the account, so that nobody deletes one by mistake.') }),
    replies: {
      204: none(
        'Nobody gets in any more, and nothing of it is left, its credits included; of a very large account within minutes. Its slugs are given to nobody else.',
      ),
    },
  },
} as const satisfies OperationGroup;

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
