import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../packages/daemon/src/db/open.ts';
import { createChannelStore } from '../../packages/daemon/src/notices/channel-store.ts';
import { createDeliveryRows } from '../../packages/daemon/src/notices/delivery-store.ts';
import type { NewDelivery } from '../../packages/daemon/src/notices/delivery-store.ts';
import { createDeliveryStore } from '../../packages/daemon/src/notices/queue-store.ts';
import { deliveryStoreSuite } from './delivery-store-suite.ts';

const COLLECTED_MAX = 3;

deliveryStoreSuite('SQLite', async () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-deliveries-'));
  const database = openDatabase({ path: join(home, 'weft.db'), backups: home, nowMs: 0 });
  const channels = createChannelStore(database);
  const rows = createDeliveryRows(database);
  const open = () => createDeliveryStore(database, { onDisabled: () => undefined });
  const row = (channelId: string, event: string): NewDelivery => ({
    message_id: `msg_${event}`,
    channel_id: Number(channelId),
    event,
    level: 'info',
    subject: '{"kind":"agent"}',
    data: '{}',
    dedupe_key: null,
    created_at: 0,
  });
  return {
    store: open(),
    again: open,
    addChannel: async (name) =>
      String(channels.insert({ name, definition: JSON.stringify({ name, to: { kind: 'desktop' } }), created_at: 0 }, () => undefined)),
    queue: async (channelId, dueMs, event) => String(rows.insertPending(row(channelId, event), dueMs)),
    collect: async (channelId, dueMs, event) => void rows.insertCollected(row(channelId, event), dueMs, COLLECTED_MAX),
    mute: async (channelId, untilMs) => channels.mute(Number(channelId), untilMs),
    enable: async (channelId, isEnabled) => {
      const { name = '', definition = '' } = channels.find(Number(channelId)) ?? {};
      const change = { name, definition, isEnabled, isMoved: false, secretChangedMs: undefined, updatedMs: 0 };
      channels.update(Number(channelId), change, () => undefined);
    },
    deleteChannel: async (channelId) => void channels.delete(Number(channelId), 10, () => undefined),
    look: async (id) => {
      const found = rows.find(Number(id));
      return found && { status: found.status, tries: rows.triesOf(found.id).length };
    },
    close: async () => {
      database.close();
      rmSync(home, { recursive: true });
    },
  };
});
