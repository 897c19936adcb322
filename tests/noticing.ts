// Notices of an agent for tests: real rows, a real vault, the real loop and network, and a clock that the test moves.
import { createAddressGate, createDesktop, createMailer } from '@weft/engine/io';
import type { Attempt, DeliveryStore } from '@weft/engine';
import type { NewChannel } from '@weft/contract';
import { createHttpFetcher } from '../packages/engine/src/io/http/fetcher.ts';
import type { Channels } from '../packages/daemon/src/notices/channel.ts';
import { createChannels } from '../packages/daemon/src/notices/channel.ts';
import { createChannelStore } from '../packages/daemon/src/notices/channel-store.ts';
import type { DeliveryRows } from '../packages/daemon/src/notices/delivery-store.ts';
import { createDeliveryRows } from '../packages/daemon/src/notices/delivery-store.ts';
import type { Notices } from '../packages/daemon/src/notices/notice.ts';
import { createNotices } from '../packages/daemon/src/notices/notice.ts';
import { createDeliveryStore } from '../packages/daemon/src/notices/queue-store.ts';
import { createChannelVault } from '../packages/daemon/src/notices/secrets.ts';
import { createNoticeSender } from '../packages/daemon/src/notices/sending.ts';
import { until } from './until.ts';
import { openTestVault } from './vault/vaults.ts';
import type { TestVault } from './vault/vaults.ts';

export interface TestNotices extends AsyncDisposable {
  readonly base: TestVault;
  readonly channels: Channels;
  readonly notices: Notices;
  readonly rows: DeliveryRows;
  readonly queues: DeliveryStore;
  readonly errors: readonly unknown[];
  /** Names and reasons of channels that were switched off. */
  readonly disabled: readonly string[];
  /** The id of a webhook channel to `url`. */
  webhook(url: string, more?: Partial<NewChannel>): number;
  /** Tells one channel of something; the id of the delivery. */
  tell(channelId: number, more?: Partial<Parameters<Notices['tell']>[0]>): number;
  /** Resolves once the delivery has so many attempts, and the last was written. */
  tried(id: number, attempts: number): Promise<readonly Attempt[]>;
  status(id: number): string;
}

/** `whsec_` and 32 bytes. */
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export function openTestNotices(home?: string): TestNotices {
  const base = openTestVault(home === undefined ? {} : { home });
  const { database, clock, vault } = base;
  const fetcher = createHttpFetcher({ gate: createAddressGate({ mode: 'agent' }) });
  const sending = { fetcher, clock, sendMail: createMailer(), showOnDesktop: createDesktop() };
  const store = createChannelStore(database);
  const rows = createDeliveryRows(database);
  const secrets = createChannelVault(vault);
  const errors: unknown[] = [];
  const disabled: string[] = [];
  const queues = createDeliveryStore(database, { onDisabled: ({ name }, reason) => void disabled.push(`${name}: ${reason}`) });
  const sender = createNoticeSender({
    sending,
    queues,
    channels: store,
    rows,
    secrets,
    vault,
    logError: (_message, error) => void errors.push(error),
  });
  const onChange = () => {
    sender.wake();
    sender.sweep();
  };
  const channels = createChannels({ store, rows, vault: secrets, sending, onChange });
  const notices = createNotices({ database, channels: store, rows, clock, wake: () => sender.wake() });
  sender.start();
  return {
    base,
    channels,
    notices,
    rows,
    queues,
    errors,
    disabled,
    webhook: (url, more = {}) => channels.create({ name: 'hook', to: { kind: 'webhook', url }, secrets: { secret: SECRET }, ...more }),
    tell(channelId, more = {}) {
      const subject = { kind: 'monitor' as const, id: 7, name: 'Shop' };
      const [id] = notices.tell({ event: 'monitor.changed', subject, data: { message: 'It changed.' }, ...more, channels: [channelId] });
      if (id === undefined) throw new Error('nothing was queued');
      return id;
    },
    async tried(id, attempts) {
      await until(() => rows.triesOf(id).length >= attempts);
      return rows.triesOf(id).map(({ body }) => JSON.parse(body) as Attempt);
    },
    status: (id) => rows.find(id)?.status ?? 'gone',
    async [Symbol.asyncDispose]() {
      await sender.stop();
      await fetcher.close();
      await base[Symbol.asyncDispose]();
    },
  };
}
