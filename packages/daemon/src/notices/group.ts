// What notices add to the agent: channels, the queues of each, and the loop that sends.
import type { SendingPorts } from '@weft/engine';
import { createDesktop, createMailer } from '@weft/engine/io';
import type { Group } from '../group.ts';
import type { Channels } from './channel.ts';
import { createChannels } from './channel.ts';
import type { ChannelStore } from './channel-store.ts';
import { createChannelStore } from './channel-store.ts';
import type { DeliveryRows } from './delivery-store.ts';
import { createDeliveryRows } from './delivery-store.ts';
import { noticeHandlers } from './handlers.ts';
import type { Notices } from './notice.ts';
import { createNotices } from './notice.ts';
import { createDeliveryStore } from './queue-store.ts';
import type { ChannelVault } from './secrets.ts';
import { createChannelVault } from './secrets.ts';
import type { NoticeSender } from './sending.ts';
import { createNoticeSender } from './sending.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly channelStore: ChannelStore;
    readonly channelVault: ChannelVault;
    readonly deliveryRows: DeliveryRows;
    readonly noticePorts: SendingPorts;
    readonly noticeSender: NoticeSender;
    readonly channels: Channels;
    readonly notices: Notices;
  }
}

export const group: Group = {
  nouns: {
    channelStore: ({ database }) => createChannelStore(database),
    channelVault: ({ vault }) => createChannelVault(vault),
    deliveryRows: ({ database }) => createDeliveryRows(database),
    noticePorts: ({ fetcher, clock }) => ({ fetcher, clock, sendMail: createMailer(), showOnDesktop: createDesktop() }),
    noticeSender: (nouns) => {
      const {
        database,
        channelStore: channels,
        deliveryRows: rows,
        channelVault: secrets,
        noticePorts: sending,
        vault,
        log,
        logError,
      } = nouns;
      const queues = createDeliveryStore(database, {
        onDisabled: ({ id, name }, reason) => {
          log.warn({ channel: id, reason }, 'nothing more is sent to this channel: weft notify list');
          const others = channels.defaults().filter((other) => other.id !== id);
          const data = { message: `Nothing more is sent to the channel "${name}": ${reason}` };
          const subject = { kind: 'channel' as const, id, name };
          nouns.notices.tell({ event: 'channel.disabled', subject, channels: others.map((other) => other.id), data });
        },
      });
      return createNoticeSender({ sending, queues, channels, rows, secrets, vault, logError });
    },
    channels: ({ channelStore: store, deliveryRows: rows, channelVault: vault, noticePorts: sending, noticeSender }) => {
      const onChange = () => {
        noticeSender.wake();
        noticeSender.sweep();
      };
      return createChannels({ store, rows, vault, sending, onChange });
    },
    notices: ({ database, channelStore: channels, deliveryRows: rows, clock, noticeSender }) =>
      createNotices({ database, channels, rows, clock, wake: () => noticeSender.wake() }),
  },
  extra: ({ channels, notices }) => ({ notices: noticeHandlers(channels, notices) }),
  health: ({ noticeSender }) => noticeSender.health(),
  open: ({ noticeSender }) => noticeSender.start(),
  prune: ({ noticeSender }, signal) => noticeSender.prune(signal),
  close: ({ noticeSender }) => noticeSender.stop(),
};
