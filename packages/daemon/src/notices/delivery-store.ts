// Rows of deliveries: what was told to channels, what waits to be sent, and what became of it.
import type { DeliveryStatus, NoticeLevel } from '@weft/contract';
import type { Database } from '../db/open.ts';
import { transaction } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface DeliveryRow {
  readonly id: number;
  readonly message_id: string;
  readonly channel_id: number;
  readonly status: DeliveryStatus;
  readonly reason: string | null;
  readonly event: string;
  readonly level: NoticeLevel;
  /** JSON. */
  readonly subject: string;
  /** JSON. */
  readonly data: string;
  readonly dedupe_key: string | null;
  readonly collected_into: number | null;
  /** 1 while others may be collected into it. */
  readonly is_open: number;
  /** How many were. */
  readonly collected: number;
  /** Since it was last queued. */
  readonly attempts: number;
  readonly claims: number;
  /** Null once it is settled. */
  readonly due_at: number | null;
  readonly created_at: number;
  readonly settled_at: number | null;
}

export interface TryRow {
  readonly at: number;
  /** JSON of a DeliveryTry without its time. */
  readonly body: string;
}

export type NewDelivery = Pick<
  DeliveryRow,
  'message_id' | 'channel_id' | 'event' | 'level' | 'subject' | 'data' | 'dedupe_key' | 'created_at'
>;

export interface DeliveryFilter {
  readonly channelId: number | undefined;
  readonly status: DeliveryStatus | undefined;
}

/** The writes of notices are parts of their callers' transactions; each costs O(log n), however much waits. */
export interface DeliveryRows {
  /** All three answer the row's id, undefined where the channel was told of its `dedupe_key` before. */
  insertDropped(row: NewDelivery, reason: string): number | undefined;
  insertPending(row: NewDelivery, dueMs: number): number | undefined;
  /** Joins the message that is open while it holds fewer than `max`, or opens the next, which is due at `dueMs`. */
  insertCollected(row: NewDelivery, dueMs: number, max: number): number | undefined;
  find(id: number): DeliveryRow | undefined;
  triesOf(id: number): readonly TryRow[];
  /** Newest first, of those before `beforeId`. */
  list(filter: DeliveryFilter, beforeId: number, limit: number): readonly DeliveryRow[];
  /** What waits for a channel, counted up to `max`. */
  countPending(channelId: number, max: number): number;
  /** Queues it again, as if it had never been sent; its channel rests no more. */
  requeue(id: number, dueMs: number): void;
  /** Deletes at most so many that are older than `beforeMs`; how many. */
  deleteOld(beforeMs: number, limit: number): number;
}

const COLUMNS = 'message_id, channel_id, event, level, subject, data, dedupe_key, created_at, status';
const VALUES = '?, ?, ?, ?, ?, ?, ?, ?, ?';
const ONCE = 'ON CONFLICT (channel_id, dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING';
const NEXT_OF = `(SELECT min(due_at) FROM delivery WHERE channel_id = notice_channel.id AND status = 'pending')`;

/** Brings `next_at` of a channel up to its queue. */
export function createNextSetter({ fast }: Database): (channelId: number) => void {
  const set = fast.prepare(`UPDATE notice_channel SET next_at = ${NEXT_OF} WHERE id = ?`);
  return (channelId) => void set.run(channelId);
}

export function createDeliveryRows(database: Database): DeliveryRows {
  return { ...createInserts(database), ...createQueries(database) };
}

type Inserts = 'insertDropped' | 'insertPending' | 'insertCollected';

function createInserts(database: Database): Pick<DeliveryRows, Inserts> {
  const { fast } = database;
  const insertDropped = fast.prepare(`INSERT INTO delivery (${COLUMNS}, reason, settled_at) VALUES (${VALUES}, ?, ?) ${ONCE}`);
  const insertPending = fast.prepare(`INSERT INTO delivery (${COLUMNS}, due_at, is_open) VALUES (${VALUES}, ?, ?) ${ONCE}`);
  const insertCollected = fast.prepare(`INSERT INTO delivery (${COLUMNS}, collected_into) VALUES (${VALUES}, ?) ${ONCE}`);
  const findOpen = fast.prepare('SELECT id, collected, due_at FROM delivery WHERE channel_id = ? AND is_open = 1');
  const count = fast.prepare('UPDATE delivery SET collected = collected + 1 WHERE id = ?');
  const close = fast.prepare('UPDATE delivery SET is_open = 0 WHERE id = ?');
  const setNext = createNextSetter(database);
  const idOf = ({ changes, lastInsertRowid }: { changes: number | bigint; lastInsertRowid: number | bigint }) =>
    Number(changes) === 1 ? Number(lastInsertRowid) : undefined;
  const queue = (row: NewDelivery, dueMs: number, isOpen: boolean) => {
    const id = idOf(insertPending.run(...valuesOf(row, 'pending'), dueMs, Number(isOpen)));
    setNext(row.channel_id);
    return id;
  };
  return {
    insertDropped: (row, reason) => idOf(insertDropped.run(...valuesOf(row, 'dropped'), reason, row.created_at)),
    insertPending: (row, dueMs) => transaction(fast, () => queue(row, dueMs, false)),
    insertCollected: (row, dueMs, max) =>
      transaction(fast, () => {
        const open = findOpen.get(row.channel_id) as Pick<DeliveryRow, 'id' | 'collected' | 'due_at'> | undefined;
        if (open && open.collected + 1 < max) {
          const id = idOf(insertCollected.run(...valuesOf(row, 'collected'), open.id));
          if (id !== undefined) count.run(open.id);
          return id;
        }
        if (open) close.run(open.id);
        // What no longer fits is sent in a message of its own, at the same time.
        return queue(row, open?.due_at ?? dueMs, true);
      }),
  };
}

function valuesOf(row: NewDelivery, status: DeliveryStatus) {
  return [row.message_id, row.channel_id, row.event, row.level, row.subject, row.data, row.dedupe_key, row.created_at, status] as const;
}

function createQueries(database: Database): Omit<DeliveryRows, Inserts> {
  const { fast } = database;
  const find = fast.prepare('SELECT * FROM delivery WHERE id = ?');
  const tries = fast.prepare('SELECT at, body FROM delivery_try WHERE delivery_id = ? ORDER BY id');
  const lists = {
    all: fast.prepare('SELECT * FROM delivery WHERE id < ? ORDER BY id DESC LIMIT ?'),
    channel: fast.prepare('SELECT * FROM delivery WHERE channel_id = ? AND id < ? ORDER BY id DESC LIMIT ?'),
    status: fast.prepare('SELECT * FROM delivery WHERE status = ? AND id < ? ORDER BY id DESC LIMIT ?'),
    both: fast.prepare('SELECT * FROM delivery WHERE channel_id = ? AND status = ? AND id < ? ORDER BY id DESC LIMIT ?'),
  };
  const pending = fast.prepare(`SELECT count(*) AS n FROM (SELECT 1 FROM delivery WHERE channel_id = ? AND status = 'pending' LIMIT ?)`);
  const requeue = fast.prepare(
    `UPDATE delivery SET status = 'pending', reason = NULL, due_at = ?, settled_at = NULL, attempts = 0, is_open = 0 WHERE id = ? RETURNING channel_id`,
  );
  const endRest = fast.prepare('UPDATE notice_channel SET rests_until = 0, rests_because = NULL WHERE id = ?');
  const setNext = createNextSetter(database);
  const deleteOld = fast.prepare(
    'DELETE FROM delivery WHERE id IN (SELECT id FROM (SELECT id, created_at FROM delivery ORDER BY id LIMIT ?) WHERE created_at < ?) RETURNING channel_id',
  );
  return {
    find: (id) => find.get(id) as DeliveryRow | undefined,
    triesOf: (id) => allRows<TryRow>(tries, id),
    list({ channelId, status }, beforeId, limit) {
      if (channelId === undefined)
        return status === undefined
          ? allRows<DeliveryRow>(lists.all, beforeId, limit)
          : allRows<DeliveryRow>(lists.status, status, beforeId, limit);
      return status === undefined
        ? allRows<DeliveryRow>(lists.channel, channelId, beforeId, limit)
        : allRows<DeliveryRow>(lists.both, channelId, status, beforeId, limit);
    },
    countPending: (channelId, max) => (pending.get(channelId, max) as { n: number }).n,
    requeue: (id, dueMs) =>
      transaction(fast, () => {
        const row = requeue.get(dueMs, id) as { channel_id: number } | undefined;
        if (!row) return;
        endRest.run(row.channel_id);
        setNext(row.channel_id);
      }),
    deleteOld: (beforeMs, limit) =>
      transaction(fast, () => {
        const gone = allRows<{ channel_id: number }>(deleteOld, limit, beforeMs);
        for (const channelId of new Set(gone.map(({ channel_id }) => channel_id))) setNext(channelId);
        return gone.length;
      }),
  };
}
