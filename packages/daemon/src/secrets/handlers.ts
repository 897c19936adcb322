// Group Secrets.
import type { DaemonTable } from '@weft/contract';
import { creation, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import type { Secrets } from './secret.ts';

export function secretHandlers(secrets: Secrets): GroupHandlers<DaemonTable['secrets']> {
  return {
    list: ({ query }) => {
      const { data, total } = secrets.list(query);
      return { status: 200, headers: listHeaders('/v1/secrets', query, data.length, total), body: { data, count: data.length } };
    },
    create: creation({
      effect: ({ body }) => ({ key: body.key, isNew: secrets.put(body) }),
      answer: ({ key, isNew }) => ({ status: isNew ? 201 : 200, body: secrets.require(key) }),
    }),
    read: ({ params }) => ({ status: 200, body: secrets.require(params.key) }),
    delete: ({ params }) => {
      secrets.delete(params.key);
      return { status: 204 };
    },
  };
}
