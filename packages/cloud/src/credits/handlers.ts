// What an account has, and where it went.
import type { AccountTable } from '@weft/contract';
import { listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { accountOf } from '../accounts/account.ts';
import type { Credits } from './credits.ts';

export function creditHandlers(credits: Credits): GroupHandlers<AccountTable['credits']> {
  return {
    balance: async ({ actor }) => ({ status: 200, body: await credits.balance(accountOf(actor)) }),
    async ledger({ actor, query }) {
      const { data, total } = await credits.ledger(accountOf(actor), query);
      return { status: 200, headers: listHeaders('/api/account/ledger', query, data.length, total), body: { data, count: data.length } };
    },
  };
}
