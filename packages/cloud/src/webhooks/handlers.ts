// Webhooks of an account, under /api/account.
import type { AccountTable } from '@weft/contract';
import { creation, cursorHeaders, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { accountOf } from '../accounts/account.ts';
import type { Webhooks } from './webhook.ts';

type Table = AccountTable['webhooks'];
type WithSecret = Awaited<ReturnType<Webhooks['create']>>;
const PATH = '/api/account/webhooks';

/** `onDue` is called once something may be sent. */
export function webhookHandlers(webhooks: Webhooks, onDue: () => void): GroupHandlers<Table> {
  return {
    async list({ actor, query }) {
      const { data, total } = await webhooks.list(accountOf(actor), query);
      return { status: 200, headers: listHeaders(PATH, query, data.length, total), body: { data, count: data.length } };
    },
    create: creation<Table['create'], WithSecret>({
      effect: ({ actor, body }) => webhooks.create(accountOf(actor), body),
      answer: (made) => ({ status: 201, body: made }),
    }),
    read: async ({ actor, params }) => ({ status: 200, body: await webhooks.read(accountOf(actor), params.id) }),
    async update({ actor, params, body }) {
      const changed = await webhooks.update(accountOf(actor), params.id, body);
      onDue();
      return { status: 200, body: changed };
    },
    async delete({ actor, params }) {
      await webhooks.delete(accountOf(actor), params.id);
      return { status: 204 };
    },
    rotate: creation<Table['rotate'], WithSecret>({
      effect: ({ actor, params }) => webhooks.rotate(accountOf(actor), params.id),
      answer: (made) => ({ status: 200, body: made }),
    }),
    test: async ({ actor, params, signal }) => ({ status: 200, body: await webhooks.test(accountOf(actor), params.id, signal) }),
    async deliveries({ actor, params, query }) {
      const { data, nextCursor } = await webhooks.deliveries(accountOf(actor), params.id, query);
      const next = nextCursor === undefined ? {} : { next_cursor: nextCursor };
      const headers = cursorHeaders(`${PATH}/${params.id}/deliveries`, query, nextCursor);
      return { status: 200, headers, body: { data, count: data.length, ...next } };
    },
    delivery: async ({ actor, params }) => ({ status: 200, body: await webhooks.delivery(accountOf(actor), params.id, params.delivery) }),
    async redeliver({ actor, params }) {
      const delivery = await webhooks.redeliver(accountOf(actor), params.id, params.delivery);
      onDue();
      return { status: 200, body: delivery };
    },
  };
}
