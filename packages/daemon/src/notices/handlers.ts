// Group Notices.
import type { ExtraTable } from '@weft/contract';
import { creation, cursorHeaders, listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import type { Channels } from './channel.ts';
import type { Notices } from './notice.ts';

export function noticeHandlers(channels: Channels, notices: Notices): GroupHandlers<ExtraTable['notices']> {
  return {
    channels: ({ query }) => {
      const { data, total } = channels.list(query);
      return { status: 200, headers: listHeaders('/x/notices/channels', query, data.length, total), body: { data, count: data.length } };
    },
    createChannel: creation({
      effect: ({ body }) => channels.create(body),
      answer: (id) => ({ status: 201, body: channels.require(id) }),
    }),
    channel: ({ params }) => ({ status: 200, body: channels.require(params.id) }),
    updateChannel: ({ params, body }) => {
      channels.update(params.id, body);
      return { status: 200, body: channels.require(params.id) };
    },
    deleteChannel: ({ params }) => {
      channels.delete(params.id);
      return { status: 204 };
    },
    testChannel: async ({ params, signal }) => ({ status: 200, body: await channels.test(params.id, signal) }),
    muteChannel: ({ params, body }) => {
      channels.mute(params.id, body.until);
      return { status: 200, body: channels.require(params.id) };
    },
    deliveries: ({ query }) => {
      const { data, ...next } = notices.list(query);
      const headers = cursorHeaders('/x/notices/deliveries', query, next.next_cursor);
      return { status: 200, headers, body: { data, count: data.length, ...next } };
    },
    delivery: ({ params }) => ({ status: 200, body: notices.require(params.id) }),
    redeliver: ({ params }) => ({ status: 200, body: notices.redeliver(params.id) }),
  };
}
