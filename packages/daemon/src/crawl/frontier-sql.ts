// The statements of a crawl's frontier, bound to one crawl.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CrawlCounts, UrlSource } from '@weft/engine';
import { allRows } from '../db/rows.ts';

/**
 * A line of the ledger as it is stored. The hashes are 16 bytes; `key` and `final_url` are null where they are the `url`. `is_twin` ranks
 * what waits: -1 what pages call canonical, 1 twins, 0 all others.
 */
export interface UrlRow {
  readonly id: number;
  readonly identity_hash: Uint8Array;
  readonly key_hash: Uint8Array;
  readonly url: string;
  readonly key: string | null;
  readonly host: string;
  readonly is_twin: number;
  readonly depth: number;
  readonly source: UrlSource;
  readonly parent: string | null;
  readonly state: 'pending' | 'fetched' | 'reused' | 'failed' | 'skipped';
  readonly reason: string | null;
  readonly content_hash: string | null;
  readonly sketch: string | null;
  readonly ignores_canonical: number;
}

export type KnownRow = Pick<UrlRow, 'url' | 'state' | 'content_hash' | 'sketch'>;

/** What settling needs of a line. Each column of an answer costs, and these are read for every page. */
export type SettlingRow = Omit<UrlRow, 'key_hash' | 'key' | 'is_twin' | 'parent' | 'ignores_canonical'>;

/** What leasing needs of a line. */
export type LeasedRow = Omit<UrlRow, 'identity_hash' | 'state' | 'reason' | 'content_hash' | 'sketch'>;

/** A line as far as it tells why a crawl kept nothing. */
export type FirstRow = Pick<UrlRow, 'url' | 'source' | 'reason'> & { readonly outcome: UrlRow['state']; readonly rule: string | null };

export interface NewUrl {
  readonly identityHash: Uint8Array;
  readonly keyHash: Uint8Array;
  readonly url: string;
  readonly key: string;
  readonly host: string;
  readonly depth: number;
  readonly source: UrlSource;
  readonly parent: string | undefined;
  readonly state: 'pending' | 'skipped';
  readonly reason: string | undefined;
  readonly rule: string | undefined;
  readonly isLate?: boolean;
}

export interface SettledUrl {
  readonly state: UrlRow['state'];
  readonly reason: string | undefined;
  readonly rule: string | undefined;
  readonly status: number | undefined;
  readonly finalUrl: string | undefined;
  readonly finalHash: Uint8Array | undefined;
  readonly contentHash: string | undefined;
  readonly sketch: string | undefined;
  readonly aliasOf: Uint8Array | undefined;
}

export type FrontierSql = ReturnType<typeof prepareFrontier>;

const COUNTS = 'discovered, fetched, reused, failed, skipped, pending';
const SETTLING = 'id, identity_hash, url, host, depth, source, state, reason, content_hash, sketch';
const LEASED = 'id, key_hash, url, key, host, is_twin, depth, source, parent, ignores_canonical';
const KNOWN = 'url, state, content_hash, sketch';

/** The statements of crawl `runId`: its own row, the lines of its ledger that are looked up, those that are leased, and what is written. */
export function prepareFrontier(database: DatabaseSync, runId: number) {
  return {
    ...prepareCrawlRow(database, runId),
    ...prepareLookups(database, runId),
    ...prepareLeases(database, runId),
    ...prepareWrites(database, runId),
    ...prepareAliases(database, runId),
  };
}

/** The row of the crawl: who owns it, what the loop has learnt, the numbers of its ledger. */
function prepareCrawlRow(database: DatabaseSync, runId: number) {
  const owner = database.prepare('SELECT owner FROM crawl WHERE run_id = ?');
  const takeOver = database.prepare('UPDATE crawl SET owner = owner + 1 WHERE run_id = ? RETURNING owner');
  const memory = database.prepare('SELECT memory FROM crawl WHERE run_id = ?');
  const setMemory = database.prepare('UPDATE crawl SET memory = ? WHERE run_id = ?');
  const counts = database.prepare(`SELECT ${COUNTS} FROM crawl WHERE run_id = ?`);
  const addCounts = database.prepare(
    `UPDATE crawl SET discovered = discovered + ?, fetched = fetched + ?, reused = reused + ?, failed = failed + ?, skipped = skipped + ?, pending = pending + ?
     WHERE run_id = ?`,
  );
  return {
    owner: () => (owner.get(runId) as { owner: number }).owner,
    takeOver: () => (takeOver.get(runId) as { owner: number }).owner,
    memory: () => (memory.get(runId) as { memory: string | null }).memory ?? undefined,
    setMemory: (text: string) => void setMemory.run(text, runId),
    counts: () => ({ ...(counts.get(runId) as object) }) as CrawlCounts,
    addCounts: (delta: CrawlCounts) => {
      if (Object.values(delta).some((number) => number !== 0))
        addCounts.run(delta.discovered, delta.fetched, delta.reused, delta.failed, delta.skipped, delta.pending, runId);
    },
  };
}

/** Lines by what they are known by. */
function prepareLookups(database: DatabaseSync, runId: number) {
  const byId = database.prepare(`SELECT ${SETTLING} FROM crawl_url WHERE run_id = ? AND id = ?`);
  const byIdentity = database.prepare(`SELECT ${SETTLING} FROM crawl_url WHERE run_id = ? AND identity_hash = ?`);
  const knownByIdentity = database.prepare(`SELECT ${KNOWN} FROM crawl_url WHERE run_id = ? AND identity_hash = ?`);
  const byFinal = database.prepare(`SELECT ${KNOWN} FROM crawl_url WHERE run_id = ? AND final_hash = ? ORDER BY id LIMIT 1`);
  const byContent = database.prepare(
    `SELECT ${KNOWN} FROM crawl_url WHERE run_id = ? AND content_hash = ? AND state IN ('fetched', 'reused') ORDER BY id LIMIT 1`,
  );
  const hasFinals = database.prepare('SELECT EXISTS (SELECT 1 FROM crawl_url WHERE run_id = ? AND final_hash IS NOT NULL) AS has');
  const firstLines = database.prepare(
    'SELECT url, source, state AS outcome, reason, rule FROM crawl_url WHERE run_id = ? ORDER BY id LIMIT ?',
  );
  return {
    find: (id: number) => byId.get(runId, id) as SettlingRow | undefined,
    findByIdentity: (identityHash: Uint8Array) => byIdentity.get(runId, identityHash) as SettlingRow | undefined,
    findKnown: (identityHash: Uint8Array) => knownByIdentity.get(runId, identityHash) as KnownRow | undefined,
    findByFinal: (finalHash: Uint8Array) => byFinal.get(runId, finalHash) as KnownRow | undefined,
    findByContent: (contentHash: string) => byContent.get(runId, contentHash) as KnownRow | undefined,
    hasFinals: () => (hasFinals.get(runId) as { has: number }).has === 1,
    firstLines: (count: number) => allRows<FirstRow>(firstLines, runId, count),
  };
}

/** Lines that wait. */
function prepareLeases(database: DatabaseSync, runId: number) {
  const pendingByHost = database.prepare(`SELECT host, count(*) AS n FROM crawl_url WHERE run_id = ? AND state = 'pending' GROUP BY host`);
  const waiting = database.prepare(
    `SELECT ${LEASED} FROM crawl_url WHERE run_id = ? AND host = ? AND state = 'pending' ORDER BY is_twin, depth, id`,
  );
  const twin = database.prepare(
    `SELECT url, content_hash, sketch FROM crawl_url WHERE run_id = ? AND key_hash = ? AND id <> ? AND state IN ('fetched', 'reused') ORDER BY id LIMIT 1`,
  );
  return {
    pendingByHost: () => allRows<{ host: string; n: number }>(pendingByHost, runId).map(({ host, n }) => [host, n] as const),
    /** What may be leased at `host`, the next first. It is read as far as it is asked for; until then nothing may be written. */
    waiting: (host: string) => waiting.iterate(runId, host) as IterableIterator<LeasedRow>,
    findTwin: (row: LeasedRow) =>
      twin.get(runId, row.key_hash, row.id) as { url: string; content_hash: string; sketch: string | null } | undefined,
  };
}

/** New lines, and what becomes of them. */
function prepareWrites(database: DatabaseSync, runId: number) {
  const insert = database.prepare(
    `INSERT INTO crawl_url (run_id, identity_hash, key_hash, url, key, host, is_twin, depth, source, parent, state, reason, rule)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, iif(?8 = 'canonical', -1, ?13 OR EXISTS (SELECT 1 FROM crawl_url WHERE run_id = ?1 AND key_hash = ?3)), ?7, ?8, ?9,
       ?10, ?11, ?12)
     ON CONFLICT (run_id, identity_hash) DO NOTHING`,
  );
  const reopen = database.prepare(
    `UPDATE crawl_url SET state = 'pending', depth = ?, source = ?, parent = ?, reason = NULL, rule = NULL WHERE id = ?`,
  );
  const move = database.prepare('UPDATE crawl_url SET depth = ?, source = ?, parent = ? WHERE id = ?');
  const settle = database.prepare(
    `UPDATE crawl_url SET state = ?, reason = ?, rule = ?, status = ?, final_url = ?, final_hash = ?, content_hash = ?, sketch = ?, alias_of = ? WHERE id = ?`,
  );
  const closePending = database.prepare(
    `UPDATE crawl_url SET state = 'skipped', reason = ?, rule = ? WHERE run_id = ? AND state = 'pending'`,
  );
  return {
    /** False when the identity is known already. Its values are written out: it runs for every link of every page. */
    insert: ({ identityHash, keyHash, url, key, host, depth, source, parent, state, reason, rule, isLate }: NewUrl) =>
      insert.run(
        runId,
        identityHash,
        keyHash,
        url,
        key === url ? null : key,
        host,
        depth,
        source,
        parent ?? null,
        state,
        reason ?? null,
        rule ?? null,
        Number(isLate === true),
      ).changes === 1,
    reopen: (id: number, depth: number, source: UrlSource, parent: string | undefined) =>
      void reopen.run(depth, source, parent ?? null, id),
    move: (id: number, depth: number, source: UrlSource, parent: string | undefined) => void move.run(depth, source, parent ?? null, id),
    settle: (id: number, to: SettledUrl) => void settle.run(...valuesOfSettled(to), id),
    /** How many were closed. */
    closePending: (reason: string, rule: string | undefined) => Number(closePending.run(reason, rule ?? null, runId).changes),
  };
}

/** Lines that wait for what their page calls its address. */
function prepareAliases(database: DatabaseSync, runId: number) {
  const aliases = database.prepare(`SELECT ${SETTLING} FROM crawl_url WHERE run_id = ? AND alias_of = ?`);
  const hasAliases = database.prepare('SELECT EXISTS (SELECT 1 FROM crawl_url WHERE run_id = ? AND alias_of IS NOT NULL) AS has');
  const confirmAlias = database.prepare(`UPDATE crawl_url SET alias_of = NULL, reason = 'duplicate', rule = ? WHERE id = ?`);
  const rejectAlias = database.prepare(
    `UPDATE crawl_url SET alias_of = NULL, state = 'pending', reason = NULL, rule = NULL, content_hash = NULL, sketch = NULL, ignores_canonical = 1 WHERE id = ?`,
  );
  return {
    aliasesOf: (identityHash: Uint8Array) => allRows<SettlingRow>(aliases, runId, identityHash),
    hasAliases: () => (hasAliases.get(runId) as { has: number }).has === 1,
    confirmAlias: (id: number, url: string) => void confirmAlias.run(url, id),
    rejectAlias: (id: number) => void rejectAlias.run(id),
  };
}

/** In the order of the statement that settles a line. */
function valuesOfSettled(to: SettledUrl): readonly SQLInputValue[] {
  const { state, reason, rule, status, finalUrl, finalHash, contentHash, sketch, aliasOf } = to;
  return [state, reason, rule, status, finalUrl, finalHash, contentHash, sketch, aliasOf].map((value) => value ?? null);
}
