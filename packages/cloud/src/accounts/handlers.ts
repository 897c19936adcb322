// Management of an account, under /api/account.
import type { AccountTable } from '@weft/contract';
import { creation, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { accountOf } from './account.ts';
import type { Accounts } from './account.ts';
import type { AccountKeys } from './key.ts';

type Create = AccountTable['accountKeys']['create'];

export function accountHandlers(accounts: Accounts): GroupHandlers<AccountTable['account']> {
  return {
    read: async ({ actor }) => ({ status: 200, body: await accounts.read(accountOf(actor)) }),
    update: async ({ actor, body }) => ({ status: 200, body: await accounts.update(accountOf(actor), body) }),
    async delete({ actor, query }) {
      await accounts.delete(accountOf(actor), query.confirm);
      return { status: 204 };
    },
  };
}

export function accountKeyHandlers(keys: AccountKeys): GroupHandlers<AccountTable['accountKeys']> {
  return {
    async list({ actor, query }) {
      const { data, total } = await keys.list(accountOf(actor), query);
      return { status: 200, headers: listHeaders('/api/account/keys', query, data.length, total), body: { data, count: data.length } };
    },
    create: creation<Create, Awaited<ReturnType<AccountKeys['mint']>>>({
      effect: ({ actor, body: { name, role = 'api' } }) => keys.mint(accountOf(actor), { name, role }),
      answer: (minted) => ({ status: 201, body: minted }),
    }),
    async delete({ actor, params }) {
      await keys.delete(accountOf(actor), params.id);
      return { status: 204 };
    },
  };
}
