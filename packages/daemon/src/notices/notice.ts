// Notices: what channels are told, as rows of their queues, and what became of each.
import { AppError, LIMITS } from '@weft/contract';
import type { Delivery, DeliveryDetails, DeliveryStatus, DeliveryTry, NoticeData, NoticeLevel, NoticeSubject } from '@weft/contract';
import { COLLECTED_MAX, admitNotice, fitData, levelOfEvent } from '@weft/engine';
import type { Clock } from '@weft/engine';
import { newMessageId, toInstant } from '@weft/serve';
import type { Database } from '../db/open.ts';
import { transaction } from '../db/open.ts';
import { toDeliveryChannel } from './channel-store.ts';
import type { ChannelRow, ChannelStore } from './channel-store.ts';
import type { DeliveryRow, DeliveryRows, NewDelivery } from './delivery-store.ts';

/** Something to tell. */
export interface NewNotice {
  /** Dotted words, such as `monitor.changed`. */
  readonly event: string;
  readonly subject: NoticeSubject;
  /** Those that are told; all that are told by default unless said. One that is gone is passed over. */
  readonly channels?: readonly number[];
  /** What templates and receivers find; long texts are cut. `title`, `message`, `link`, `change`, `monitor`, `run` and `automation` have a meaning. */
  readonly data: NoticeData;
  /** Of the last word of the event unless said. */
  readonly level?: NoticeLevel;
  /** A channel is told once of the same key while the delivery is kept. */
  readonly dedupe_key?: string;
}

export interface Notices {
  /**
   * Writes a delivery for each channel, as a part of the transaction that is open, so that what was kept is told, and nothing else is; what is
   * due is sent once that is committed. The ids of the deliveries, of those that were dropped by the policy of their channel as well.
   */
  tell(notice: NewNotice): readonly number[];
  /** Newest first. Throws AppError `bad_request` for a cursor that is none. */
  list(query: DeliveryQuery): { readonly data: Delivery[]; readonly next_cursor?: string };
  /** Throws AppError `not_found`. */
  require(id: number): DeliveryDetails;
  /** Queues a delivery again. Throws AppError `not_found`, `conflict` for one that can't be sent by itself, or whose channel is off. */
  redeliver(id: number): Delivery;
}

export interface DeliveryQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly channel_id?: number | undefined;
  readonly status?: DeliveryStatus | undefined;
}

export interface NoticePorts {
  readonly database: Database;
  readonly channels: Pick<ChannelStore, 'find' | 'defaults'>;
  readonly rows: DeliveryRows;
  readonly clock: Clock;
  /** Looks for what is due, in a later turn. */
  readonly wake: () => void;
}

const EVENT = /^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/;

export function createNotices({ database, channels, rows, clock, wake }: NoticePorts): Notices {
  const queue = (channel: ChannelRow, row: NewDelivery): number | undefined => {
    if (channel.is_enabled === 0 && channel.disabled_reason === null) return rows.insertDropped(row, 'The channel was switched off.');
    const admission = admitNotice(toDeliveryChannel(channel).policy, row.level, row.created_at);
    if (admission.kind === 'drop') return rows.insertDropped(row, admission.reason);
    if (admission.kind === 'collect') return rows.insertCollected(row, admission.dueMs, COLLECTED_MAX);
    return rows.insertPending(row, admission.dueMs);
  };
  const requireRow = (id: number): DeliveryRow => {
    const row = rows.find(id);
    // Deliveries of a deleted channel are deleted in turns.
    if (!row || !channels.find(row.channel_id)) throw new AppError('not_found', `There is no delivery ${id}.`);
    return row;
  };
  return {
    tell({ event, subject, data, level = levelOfEvent(event), dedupe_key = null, ...notice }) {
      if (!EVENT.test(event)) throw new Error(`"${event}" is no event: it is dotted words of letters, digits and _.`);
      const told = notice.channels === undefined ? channels.defaults() : findAll(channels, notice.channels);
      const shared = {
        event,
        level,
        subject: JSON.stringify(subject),
        data: JSON.stringify(fitData(data)),
        dedupe_key,
        created_at: clock.now(),
      };
      const ids = transaction(database.fast, () =>
        told.map((channel) => queue(channel, { ...shared, message_id: newMessageId(), channel_id: channel.id })),
      );
      queueMicrotask(wake);
      return ids.filter((id) => id !== undefined);
    },
    list({ limit = LIMITS.listLimitDefault, cursor, channel_id: channelId, status }) {
      const found = rows.list({ channelId, status }, beforeIdOf(cursor), limit + 1);
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      return { data: shown.map(toDelivery), ...(last ? { next_cursor: String(last.id) } : {}) };
    },
    require(id) {
      const row = requireRow(id);
      const tries = rows.triesOf(id).map(({ at, body }) => ({ ...(JSON.parse(body) as Omit<DeliveryTry, 'at'>), at: toInstant(at) }));
      return { ...toDelivery(row), data: JSON.parse(row.data) as NoticeData, tries };
    },
    redeliver(id) {
      const row = requireRow(id);
      if (row.collected_into !== null)
        throw new AppError('conflict', `Delivery ${id} was collected into the message of delivery ${row.collected_into}: send that again.`);
      if (channels.find(row.channel_id)?.is_enabled === 0)
        throw new AppError('conflict', `Channel ${row.channel_id} is switched off; enable it first.`);
      rows.requeue(id, clock.now());
      queueMicrotask(wake);
      return toDelivery(requireRow(id));
    },
  };
}

function findAll(channels: Pick<ChannelStore, 'find'>, ids: readonly number[]): readonly ChannelRow[] {
  return [...new Set(ids)].map((id) => channels.find(id)).filter((row) => row !== undefined);
}

function beforeIdOf(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (!/^[1-9]\d{0,14}$/.test(cursor))
    throw new AppError('bad_request', 'The cursor is not one that this list gave; leave it out to begin anew.');
  return Number(cursor);
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    message_id: row.message_id,
    channel_id: row.channel_id,
    event: row.event,
    level: row.level,
    subject: JSON.parse(row.subject) as NoticeSubject,
    status: row.status,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.collected_into === null ? {} : { collected_into: row.collected_into }),
    attempts: row.attempts,
    ...(row.due_at === null ? {} : { next_at: toInstant(row.due_at) }),
    created_at: toInstant(row.created_at),
    ...(row.settled_at === null ? {} : { settled_at: toInstant(row.settled_at) }),
  };
}
