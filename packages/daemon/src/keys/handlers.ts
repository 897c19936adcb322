// Group Keys.
import type { DaemonTable } from '@weft/contract';
import { creation } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import { listHeaders } from '@weft/serve';
import type { Keys } from './key.ts';

export function keyHandlers(keys: Keys): GroupHandlers<DaemonTable['keys']> {
  return {
    list: ({ query }) => {
      const { data, total } = keys.list(query);
      return { status: 200, headers: listHeaders('/v1/keys', query, data.length, total), body: { data, count: data.length } };
    },
    create: creation({ effect: ({ body }) => keys.mint(body), answer: (key) => ({ status: 201, body: key }) }),
    read: ({ params }) => ({ status: 200, body: keys.require(params.id) }),
    delete: ({ params }) => {
      keys.delete(params.id);
      return { status: 204 };
    },
  };
}
