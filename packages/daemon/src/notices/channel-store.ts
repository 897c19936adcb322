// Rows of channels: what may be told of them, and when they may be sent to. Their values are in the vault.
import type { NewChannel } from '@weft/contract';
import type { DeliveryChannel, Reach, RestReason } from '@weft/engine';
import type { Database } from '../db/open.ts';
import { durably, transaction } from '../db/open.ts';
import { allRows } from '../db/rows.ts';

export interface ChannelRow {
  readonly id: number;
  readonly name: string;
  /** JSON of a NewChannel without its secrets. */
  readonly definition: string;
  readonly is_enabled: number;
  readonly disabled_reason: string | null;
  readonly muted_until: number;
  readonly failing_since: number | null;
  /** Attempts since then. */
  readonly failures: number;
  readonly rests_until: number;
  readonly rests_because: RestReason | null;
  readonly lease_until: number;
  /** When the first of its deliveries is due; null where none waits. */
  readonly next_at: number | null;
  readonly reach: Reach | null;
  readonly secret_changed_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly last_sent_at: number | null;
}

export interface ChannelChange {
  readonly name: string;
  readonly definition: string;
  /** Undefined leaves it as it is. */
  readonly isEnabled: boolean | undefined;
  /** True where its server is another one. */
  readonly isMoved: boolean;
  readonly secretChangedMs: number | undefined;
  readonly updatedMs: number;
}

/** Every change is durable. */
export interface ChannelStore {
  find(id: number): ChannelRow | undefined;
  /** Oldest first. */
  list(limit: number, offset: number): readonly ChannelRow[];
  count(): number;
  /** Those that are told of what names no channel. */
  defaults(): readonly ChannelRow[];
  /** `also` runs in the same transaction. */
  insert(row: Pick<ChannelRow, 'name' | 'definition' | 'created_at'>, also: (id: number) => void): number;
  /** Whoever changes a channel wants it tried: it rests no more. */
  update(id: number, change: ChannelChange, also: () => void): void;
  /** Switches it off for that reason; what is told waits in its queue. */
  disable(id: number, reason: string): void;
  mute(id: number, untilMs: number): void;
  /** Deletes the row and the first `limit` of its deliveries; true where more are left, for `deleteSome`. */
  delete(id: number, limit: number, also: () => void): boolean;
  /** Deletes at most so many deliveries of deleted channels; how many. */
  deleteSome(limit: number): number;
  /** Ends rests of one kind. */
  endRests(because: RestReason): void;
  /** Ends the leases of an earlier process, of which there is none beside this one: its deliveries are sent again at once. */
  endLeases(): void;
}

/** What is told of a channel, as it was sent. */
export function definitionOf({ definition }: Pick<ChannelRow, 'definition'>): Omit<NewChannel, 'secrets'> {
  // Written from a NewChannel alone.
  return JSON.parse(definition) as Omit<NewChannel, 'secrets'>;
}

/** A channel as the engine sends to it. */
export function toDeliveryChannel(row: ChannelRow): DeliveryChannel {
  const { to, templates = {}, level_min = 'info', digest_minutes = 0, quiet } = definitionOf(row);
  return {
    id: String(row.id),
    name: row.name,
    to,
    templates,
    policy: { levelMin: level_min, digestMinutes: digest_minutes, quiet, mutedUntilMs: row.muted_until },
    failingSinceMs: row.failing_since ?? undefined,
    failures: row.failures,
    reach: row.reach ?? undefined,
  };
}

export function createChannelStore(database: Database): ChannelStore {
  return { ...createReads(database), ...createWrites(database), ...createDeletions(database) };
}

type Reads = 'find' | 'list' | 'count' | 'defaults';
type Deletions = 'delete' | 'deleteSome';

function createReads({ fast }: Database): Pick<ChannelStore, Reads> {
  const find = fast.prepare('SELECT * FROM notice_channel WHERE id = ?');
  const list = fast.prepare('SELECT * FROM notice_channel ORDER BY id LIMIT ? OFFSET ?');
  const count = fast.prepare('SELECT count(*) AS n FROM notice_channel');
  const defaults = fast.prepare(`SELECT * FROM notice_channel WHERE ifnull(definition ->> '$.default', 1) = 1 ORDER BY id`);
  return {
    find: (id) => find.get(id) as ChannelRow | undefined,
    list: (limit, offset) => allRows<ChannelRow>(list, limit, offset),
    count: () => (count.get() as { n: number }).n,
    defaults: () => allRows<ChannelRow>(defaults),
  };
}

function createWrites({ fast }: Database): Omit<ChannelStore, Reads | Deletions> {
  const insert = fast.prepare('INSERT INTO notice_channel (name, definition, created_at, updated_at) VALUES (?, ?, ?, ?)');
  const update = fast.prepare(
    `UPDATE notice_channel SET name = ?, definition = ?, updated_at = ?, rests_until = 0, rests_because = NULL,
       secret_changed_at = ifnull(?, secret_changed_at), reach = iif(?, NULL, reach) WHERE id = ?`,
  );
  const enable = fast.prepare(
    `UPDATE notice_channel SET is_enabled = ?1, disabled_reason = NULL, failing_since = iif(?1, NULL, failing_since), failures = iif(?1, 0, failures)
       WHERE id = ?2`,
  );
  const disable = fast.prepare('UPDATE notice_channel SET is_enabled = 0, disabled_reason = ? WHERE id = ?');
  const mute = fast.prepare('UPDATE notice_channel SET muted_until = ? WHERE id = ?');
  const endRests = fast.prepare('UPDATE notice_channel SET rests_until = 0, rests_because = NULL WHERE rests_because = ?');
  const endLeases = fast.prepare('UPDATE notice_channel SET lease_until = 0 WHERE lease_until > 0');
  return {
    insert: ({ name, definition, created_at }, also) =>
      durably(fast, () => {
        const id = Number(insert.run(name, definition, created_at, created_at).lastInsertRowid);
        also(id);
        return id;
      }),
    update: (id, { name, definition, updatedMs, secretChangedMs, isMoved, isEnabled }, also) =>
      durably(fast, () => {
        update.run(name, definition, updatedMs, secretChangedMs ?? null, Number(isMoved), id);
        if (isEnabled !== undefined) enable.run(Number(isEnabled), id);
        also();
      }),
    disable: (id, reason) => durably(fast, () => void disable.run(reason, id)),
    mute: (id, untilMs) => durably(fast, () => void mute.run(untilMs, id)),
    endLeases: () => void endLeases.run(),
    endRests: (because) => void endRests.run(because),
  };
}

function createDeletions({ fast }: Database): Pick<ChannelStore, Deletions> {
  const remove = fast.prepare('DELETE FROM notice_channel WHERE id = ?');
  const removeRows = fast.prepare('DELETE FROM delivery WHERE id IN (SELECT id FROM delivery WHERE channel_id = ? LIMIT ?)');
  const keepGone = fast.prepare('INSERT INTO notice_channel_gone (id) VALUES (?)');
  const findGone = fast.prepare('SELECT id FROM notice_channel_gone LIMIT 1');
  const forgetGone = fast.prepare('DELETE FROM notice_channel_gone WHERE id = ?');
  return {
    delete: (id, limit, also) =>
      durably(fast, () => {
        also();
        remove.run(id);
        const isMore = removeRows.run(id, limit).changes === limit;
        if (isMore) keepGone.run(id);
        return isMore;
      }),
    deleteSome: (limit) =>
      transaction(fast, () => {
        const gone = findGone.get() as { id: number } | undefined;
        if (!gone) return 0;
        const deleted = Number(removeRows.run(gone.id, limit).changes);
        if (deleted < limit) forgetGone.run(gone.id);
        return Math.max(deleted, 1);
      }),
  };
}
