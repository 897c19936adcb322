// Beyond the specification: a new master key (D33).
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { RotateVault, VaultStatus } from './vault.ts';

export const vault = {
  rotate: {
    id: 'vault.rotate',
    method: 'POST',
    path: '/x/vault/rotate',
    summary: 'take a new master key and seal every value with it',
    scopes: ['runtime'],
    body: RotateVault,
    isBodyOptional: true,
    replies: { 200: json(VaultStatus, 'Every value is sealed with the new key; the earlier one is gone.') },
    errors: ['vault_locked'],
  },
} as const satisfies OperationGroup;
