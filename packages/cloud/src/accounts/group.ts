// What accounts add to the cloud: themselves, and their keys.
import type { Group } from '../group.ts';
import { createAccounts } from './account.ts';
import type { Accounts } from './account.ts';
import { createClosings } from './closing.ts';
import type { Closings } from './closing.ts';
import { accountHandlers, accountKeyHandlers } from './handlers.ts';
import { createAccountKeys } from './key.ts';
import type { AccountKeys } from './key.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly accounts: Accounts;
    readonly closings: Closings;
    readonly accountKeys: AccountKeys;
  }
}

export const group: Group = {
  nouns: {
    accounts: ({ database, closings }) => createAccounts(database, closings),
    closings(nouns) {
      const { database, logError } = nouns;
      const forget = async (accountId: string) => {
        for (const one of nouns.groups) await one.forget?.(nouns, accountId);
      };
      return createClosings({ database, forget, logError });
    },
    accountKeys: ({ database }) => createAccountKeys(database),
  },
  account: ({ accounts, accountKeys }) => ({ account: accountHandlers(accounts), accountKeys: accountKeyHandlers(accountKeys) }),
  upkeep: ({ closings }) => closings.goOn(),
  drain: ({ closings }) => closings.stop(),
};
