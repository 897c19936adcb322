// What an account has, where it went, and what calls cost.
import type { AccountTable } from '@weft/contract';
import { listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { accountOf } from '../accounts/account.ts';
import type { Credits } from './credits.ts';
import type { Estimates } from './estimates.ts';
import { PRICES } from './prices.ts';
import type { Receipts } from './receipts.ts';

/** What the credits of an account are told by. */
export interface CreditNouns {
  readonly credits: Credits;
  readonly receipts: Receipts;
  readonly estimates: Estimates;
}

export function creditHandlers({ credits, receipts, estimates }: CreditNouns): GroupHandlers<AccountTable['credits']> {
  return {
    balance: async ({ actor }) => ({ status: 200, body: await credits.balance(accountOf(actor)) }),
    async ledger({ actor, query }) {
      const { data, total } = await credits.ledger(accountOf(actor), query);
      return { status: 200, headers: listHeaders('/api/account/ledger', query, data.length, total), body: { data, count: data.length } };
    },
    prices: () => ({ status: 200, body: { data: [...PRICES], count: PRICES.length } }),
    estimate: async ({ actor, body }) => ({ status: 200, body: await estimates.estimate(accountOf(actor), body) }),
    async receipts({ actor, query }) {
      const { data, total } = await receipts.list(accountOf(actor), query);
      return { status: 200, headers: listHeaders('/api/account/receipts', query, data.length, total), body: { data, count: data.length } };
    },
    receipt: async ({ actor, params }) => ({ status: 200, body: await receipts.read(accountOf(actor), params.id) }),
  };
}
