// The frontier and ledger of one crawl on PostgreSQL. The engine states the rules of the port; one suite holds every store to them.
import { StaleOwnerError } from '@weft/engine';
import type { FrontierStore, LeasedUrl, Settlement, UrlOffer } from '@weft/engine';
import type { Database } from '../db/queries.ts';
import { LedgerChange, hashOf } from './ledger-change.ts';
import type { KeptResult } from './ledger-change.ts';
import { ledgerSql } from './ledger-sql.ts';
import type { LedgerSql } from './ledger-sql.ts';

/** What a crawl does beside its ledger, in the same transactions. */
export interface FrontierHooks<Result> {
  /** Throws where whoever opens the frontier may not have it any more. */
  mayOpen(): Promise<void>;
  /** Writes what kept pages brought. */
  keep(kept: readonly KeptResult<Result>[]): Promise<void>;
  /** Takes what others have found for this frontier since; absent where nobody else finds anything for it. */
  arrived?(): Promise<readonly UrlOffer[]>;
  /** The numbers of all frontiers of the crawl: a page that one of them keeps is known to all. Its own alone unless said. */
  readonly alike?: readonly number[];
}

/** The store of the crawl of this number, whose row must exist. */
export function openFrontier<Result>(database: Database, crawl: number, hooks: FrontierHooks<Result>): FrontierStore<Result> {
  const { mayOpen, arrived, alike = [crawl] } = hooks;
  const sql = ledgerSql(database, crawl, alike);
  /** Address -> when its lease ends. Leases need no rows: whoever opens the crawl next begins without any, and this owner has ended. */
  const leases = new Map<number, number>();
  const inTurn = oneAtATime();
  let owner = -1;

  const requireOwner = async () => {
    if ((await sql.owner()) !== owner) throw new StaleOwnerError();
  };
  const change = ledgerChanges(database, sql, hooks, (id) => leases.has(id));

  return {
    open: () =>
      inTurn(async () => {
        leases.clear();
        return await database.transaction(async () => {
          const row = await sql.takeOver();
          if (!row) throw new StaleOwnerError();
          await mayOpen();
          const pendingByHost = await sql.pendingByHost();
          const { owner: mine, memory, ...counts } = row;
          owner = mine;
          return { counts, pendingByHost, memory: memory ?? undefined };
        });
      }),
    offer: (offers) =>
      inTurn(async () => {
        if (offers.length === 0 && !arrived) return new Map();
        const offerAll = (made: LedgerChange) => (offers.forEach((offer) => made.offer(offer)), []);
        return (await change(namedBy([], offers), offerAll)).pendingByHost;
      }),
    lease: (wants, nowMs, untilMs) =>
      inTurn(async () => {
        await requireOwner();
        const held = [...leases].flatMap(([id, endsMs]) => (endsMs > nowMs ? [id] : []));
        const leased: readonly LeasedUrl[] = await sql.waiting(wants, held);
        for (const { id } of leased) leases.set(id, untilMs);
        return leased;
      }),
    settle: (settlements, memory) =>
      inTurn(async () => {
        const settleAll = (made: LedgerChange) => settlements.flatMap((settlement) => made.settle(settlement));
        const done = await change(namedBy(settlements, []), settleAll, { owner, memory });
        for (const { id } of settlements) leases.delete(id);
        return done;
      }),
    release: (ids) =>
      inTurn(async () => {
        await requireOwner();
        for (const id of ids) leases.delete(id);
      }),
    find: (lookup) => sql.lookup(lookup),
    closePending: ({ reason, rule }) =>
      inTurn(async () => {
        const counts = await database.transaction(() => closeAll(sql, owner, { reason, rule }));
        leases.clear();
        return counts;
      }),
    async counts() {
      const counts = await sql.counts();
      if (!counts) throw new StaleOwnerError();
      return counts;
    },
    firstLines: async (count) => (await sql.firstLines(count)).map(shownLine),
  };
}

export const NOTHING = { discovered: 0, fetched: 0, reused: 0, failed: 0, skipped: 0, pending: 0 };

/** Who a change must still belong to, and what the crawl remembers from then on. */
interface Fence {
  readonly owner: number;
  readonly memory: string | undefined;
}

/**
 * Changes of the ledger, each with what others have found for it meanwhile: `work` on what is known of the addresses, in one transaction that
 * holds the row of the crawl. Throws StaleOwnerError where the crawl is gone, or belongs to another than `fence` says.
 */
function ledgerChanges<Result>(
  database: Database,
  sql: LedgerSql,
  { keep, arrived }: Pick<FrontierHooks<Result>, 'keep' | 'arrived'>,
  isLeased: (id: number) => boolean,
) {
  return (named: Named, work: (made: LedgerChange) => readonly KeptResult<Result>[], fence?: Fence) =>
    database.transaction(async () => {
      const row = await sql.lock();
      if (!row || (fence && row.owner !== fence.owner)) throw new StaleOwnerError();
      const offered = (await arrived?.()) ?? [];
      const identities = [...named.identities, ...namedBy([], offered).identities];
      const known = named.ids.length + identities.length > 0 ? await sql.known(named.ids, identities) : [];
      const made = new LedgerChange(known, row.discovered, isLeased);
      for (const offer of offered) made.offer(offer);
      const kept = work(made);
      await write(sql, made, row.discovered);
      const counts = await sql.addCounts(made.delta, fence?.memory);
      // Last, since all parts of a crawl pay out of one hold, and wait for each other until this is committed.
      if (kept.length > 0) await keep(kept);
      return { counts, pendingByHost: made.pendingByHost };
    });
}

/** Ends what is pending, within a transaction; the counts from then on. */
async function closeAll(sql: LedgerSql, owner: number, { reason, rule }: Parameters<FrontierStore<unknown>['closePending']>[0]) {
  const row = await sql.lock();
  if (row?.owner !== owner) throw new StaleOwnerError();
  const closed = await sql.closePending(reason, rule);
  return await sql.addCounts({ ...NOTHING, pending: -closed, skipped: closed }, undefined);
}

function shownLine({ url, source, state, reason, rule }: Awaited<ReturnType<LedgerSql['firstLines']>>[number]) {
  return {
    url,
    source,
    outcome: state,
    ...(reason === null ? {} : { reason }),
    ...(rule === null ? {} : { rule }),
  };
}

/** The lines that a change may touch. */
interface Named {
  readonly ids: readonly number[];
  readonly identities: readonly string[];
}

function namedBy(settlements: readonly Settlement<unknown>[], offers: readonly UrlOffer[]): Named {
  const identities = new Set(offers.map(({ identity }) => identity));
  for (const { verdict, offers: found, owner } of settlements) {
    for (const { identity } of found) identities.add(identity);
    if (owner) identities.add(owner.offer.identity);
    for (const each of [verdict, owner?.verdict])
      if (each?.outcome === 'skipped' && each.aliasOf !== undefined) identities.add(each.aliasOf);
  }
  return { ids: settlements.map(({ id }) => id), identities: [...identities].map(hashOf) };
}

/** What was added is written as it ended; what was known before, where it changed. */
async function write(sql: LedgerSql, { added, changed }: LedgerChange, firstAdded: number): Promise<void> {
  await sql.insert(added);
  await sql.update([...changed].filter(({ id }) => id < firstAdded));
}

/** One call after another: what is leased and what is settled must not be decided at the same time. */
function oneAtATime(): <T>(call: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    const done = last.then(call);
    last = done.catch(() => undefined);
    return done;
  };
}
