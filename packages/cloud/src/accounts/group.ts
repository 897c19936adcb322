// What accounts add to the cloud: their keys.
import type { Group } from '../group.ts';
import { accountKeyHandlers } from './handlers.ts';
import { createAccountKeys } from './key.ts';
import type { AccountKeys } from './key.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly accountKeys: AccountKeys;
  }
}

export const group: Group = {
  nouns: { accountKeys: ({ database }) => createAccountKeys(database) },
  account: ({ accountKeys }) => ({ accountKeys: accountKeyHandlers(accountKeys) }),
};
