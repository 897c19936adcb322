// Published functions: for their owners, and for those who call them.
import type { AccountTable, CloudTable } from '@weft/contract';
import { creation, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { accountOf } from '../accounts/account.ts';
import type { ConsumerKeys } from './consumer-key.ts';
import type { Functions, Place } from './function.ts';
import type { EndedRun, PublishedRuns } from './run.ts';

type Call = CloudTable['published']['call'];
type Create = AccountTable['publish']['create'];
type Mint = AccountTable['consumerKeys']['create'];

const BASE = '/api/account';

export function publishHandlers(functions: Functions): GroupHandlers<AccountTable['publish']> {
  const shown = async (accountId: string, place: Place) => {
    const { workflow: _, ...row } = await functions.read(accountId, place);
    return row;
  };
  return {
    async list({ actor, query }) {
      const { data, total } = await functions.list(accountOf(actor), query);
      return { status: 200, headers: listHeaders(`${BASE}/publish`, query, data.length, total), body: { data, count: data.length } };
    },
    create: creation<Create, Place>({
      async effect({ actor, body: { slug, path, workflow } }) {
        await functions.publish(accountOf(actor), { slug, path }, workflow);
        return { slug, path };
      },
      answer: async (place, { actor }) => ({ status: 201, body: await shown(accountOf(actor), place) }),
    }),
    read: async ({ actor, params }) => ({ status: 200, body: await functions.read(accountOf(actor), params) }),
    async delete({ actor, params }) {
      await functions.delete(accountOf(actor), params);
      return { status: 204 };
    },
    async revisions({ actor, params, query }) {
      const { data, total } = await functions.revisions(accountOf(actor), params, query);
      const path = `${BASE}/publish/${params.slug}/${params.path}/revisions`;
      return { status: 200, headers: listHeaders(path, query, data.length, total), body: { data, count: data.length } };
    },
    async restore({ actor, params, body }) {
      await functions.restore(accountOf(actor), params, body.revision);
      return { status: 200, body: await shown(accountOf(actor), params) };
    },
  };
}

export function consumerKeyHandlers(keys: ConsumerKeys): GroupHandlers<AccountTable['consumerKeys']> {
  return {
    async list({ actor, query }) {
      const { data, total } = await keys.list(accountOf(actor), query);
      return { status: 200, headers: listHeaders(`${BASE}/consumer-keys`, query, data.length, total), body: { data, count: data.length } };
    },
    create: creation<Mint, Awaited<ReturnType<ConsumerKeys['mint']>>>({
      effect: ({ actor, body }) => keys.mint(accountOf(actor), body),
      answer: (minted) => ({ status: 201, body: minted }),
    }),
    async delete({ actor, params }) {
      await keys.delete(accountOf(actor), params.id);
      return { status: 204 };
    },
  };
}

export function publishedRunHandlers(runs: PublishedRuns): GroupHandlers<AccountTable['publishedRuns']> {
  return {
    async list({ actor, query }) {
      const { data, total } = await runs.list(accountOf(actor), query);
      return { status: 200, headers: listHeaders(`${BASE}/runs`, query, data.length, total), body: { data, count: data.length } };
    },
    read: async ({ actor, params }) => ({ status: 200, body: await runs.read(accountOf(actor), params.id) }),
  };
}

export function callHandlers(runs: PublishedRuns): GroupHandlers<CloudTable['published']> {
  return {
    call: creation<Call, string, EndedRun>({
      prepare: ({ actor, params, body, signal }) =>
        runs.callAt({ accountId: accountOf(actor), keyId: actor.id, inputs: body }, params, signal),
      discard: (ended) => runs.discard(ended),
      effect: (_call, ended) => runs.keep(ended),
      answer: async (id, { actor }) => ({ status: 200, body: await runs.answer(accountOf(actor), id) }),
    }),
  };
}
