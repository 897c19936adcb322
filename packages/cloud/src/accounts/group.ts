// What accounts add to the cloud: themselves, and their keys.
import type { Group } from '../group.ts';
import { createAccounts } from './account.ts';
import type { Accounts } from './account.ts';
import { accountHandlers, accountKeyHandlers } from './handlers.ts';
import { createAccountKeys } from './key.ts';
import type { AccountKeys } from './key.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly accounts: Accounts;
    readonly accountKeys: AccountKeys;
  }
}

export const group: Group = {
  nouns: {
    accounts(nouns) {
      const forget = async (accountId: string) => {
        for (const one of nouns.groups) await one.forget?.(nouns, accountId);
      };
      return createAccounts(nouns.database, (accountId) =>
        // Its rows are gone, and what is left of it is swept later.
        forget(accountId).catch((error: unknown) => nouns.logError(`what ${accountId} had outside of the database is still there`, error)),
      );
    },
    accountKeys: ({ database }) => createAccountKeys(database),
  },
  account: ({ accounts, accountKeys }) => ({ account: accountHandlers(accounts), accountKeys: accountKeyHandlers(accountKeys) }),
};
