// Group Vault (D33).
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { UnlockVault, VaultStatus } from './vault.ts';

export const vault = {
  status: {
    id: 'vault.status',
    method: 'GET',
    path: '/v1/vault/status',
    summary: 'application lock status',
    scopes: ['read'],
    replies: { 200: json(VaultStatus, 'Whether it is open, what opens it, and what waits for it.') },
  },
  lock: {
    id: 'vault.lock',
    method: 'POST',
    path: '/v1/vault/lock',
    summary: 'lock the vault now',
    scopes: ['admin'],
    replies: { 200: json(VaultStatus, 'It is locked; what runs keep values that they have already.') },
  },
  unlock: {
    id: 'vault.unlock',
    method: 'POST',
    path: '/v1/vault/unlock',
    summary: 'unlock the vault',
    scopes: ['admin'],
    body: UnlockVault,
    isBodyOptional: true,
    replies: { 200: json(VaultStatus, 'It is open.') },
    errors: ['vault_locked'],
  },
} as const satisfies OperationGroup;
