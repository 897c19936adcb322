// Group Recordings.
import type { ExtraTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import { screenLink } from '../screens/links.ts';
import type { Tickets } from '../ws-ticket/ticket.ts';
import type { Recordings } from './recording.ts';

export function recordingHandlers(recordings: Recordings, tickets: Tickets): GroupHandlers<ExtraTable['recordings']> {
  return {
    create: ({ body }) => ({ status: 201, body: recordings.create(body) }),
    read: ({ params }) => ({ status: 200, body: recordings.require(params.id) }),
    screen: ({ params, actor, origin }) => {
      recordings.requireOpen(params.id);
      return { status: 201, body: screenLink('recording', params.id, actor, origin, tickets) };
    },
    finish: async ({ params }) => ({ status: 200, body: await recordings.finish(params.id) }),
    discard: async ({ params }) => {
      await recordings.discard(params.id);
      return { status: 204 };
    },
  };
}
