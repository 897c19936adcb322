// The statements of a crawl's frontier, bound to one crawl.
import type { DatabaseSync } from 'node:sqlite';
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

export function prepareFrontier(database: DatabaseSync, runId: number) {
  const statement = (text: string) => database.prepare(text);
  const owner = statement('SELECT owner FROM crawl WHERE run_id = ?');
  const takeOver = statement('UPDATE crawl SET owner = owner + 1 WHERE run_id = ? RETURNING owner');
  const memory = statement('SELECT memory FROM crawl WHERE run_id = ?');
  const setMemory = statement('UPDATE crawl SET memory = ? WHERE run_id = ?');
  const counts = statement(`SELECT ${COUNTS} FROM crawl WHERE run_id = ?`);
  const addCounts = statement(
    `UPDATE crawl SET discovered = discovered + ?, fetched = fetched + ?, reused = reused + ?, failed = failed + ?, skipped = skipped + ?, pending = pending + ?
     WHERE run_id = ?`,
  );
  const pendingByHost = statement(`SELECT host, count(*) AS n FROM crawl_url WHERE run_id = ? AND state = 'pending' GROUP BY host`);
  const insert = statement(
    `INSERT INTO crawl_url (run_id, identity_hash, key_hash, url, key, host, is_twin, depth, source, parent, state, reason, rule)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, iif(?8 = 'canonical', -1, EXISTS (SELECT 1 FROM crawl_url WHERE run_id = ?1 AND key_hash = ?3)), ?7, ?8, ?9,
       ?10, ?11, ?12)
     ON CONFLICT (run_id, identity_hash) DO NOTHING`,
  );
  const byIdentity = statement(`SELECT ${SETTLING} FROM crawl_url WHERE run_id = ? AND identity_hash = ?`);
  const knownByIdentity = statement(`SELECT ${KNOWN} FROM crawl_url WHERE run_id = ? AND identity_hash = ?`);
  const byId = statement(`SELECT ${SETTLING} FROM crawl_url WHERE run_id = ? AND id = ?`);
  const byFinal = statement(`SELECT ${KNOWN} FROM crawl_url WHERE run_id = ? AND final_hash = ? ORDER BY id LIMIT 1`);
  const byContent = statement(
    `SELECT ${KNOWN} FROM crawl_url WHERE run_id = ? AND content_hash = ? AND state IN ('fetched', 'reused') ORDER BY id LIMIT 1`,
  );
  const twin = statement(
    `SELECT url, content_hash, sketch FROM crawl_url WHERE run_id = ? AND key_hash = ? AND id <> ? AND state IN ('fetched', 'reused') ORDER BY id LIMIT 1`,
  );
  const waiting = statement(
    `SELECT ${LEASED} FROM crawl_url WHERE run_id = ? AND host = ? AND state = 'pending' ORDER BY is_twin, depth, id`,
  );
  const reopen = statement(
    `UPDATE crawl_url SET state = 'pending', depth = ?, source = ?, parent = ?, reason = NULL, rule = NULL WHERE id = ?`,
  );
  const move = statement('UPDATE crawl_url SET depth = ?, source = ?, parent = ? WHERE id = ?');
  const settle = statement(
    `UPDATE crawl_url SET state = ?, reason = ?, rule = ?, status = ?, final_url = ?, final_hash = ?, content_hash = ?, sketch = ?, alias_of = ? WHERE id = ?`,
  );
  const aliases = statement(`SELECT ${SETTLING} FROM crawl_url WHERE run_id = ? AND alias_of = ?`);
  const hasFinals = statement('SELECT EXISTS (SELECT 1 FROM crawl_url WHERE run_id = ? AND final_hash IS NOT NULL) AS has');
  const hasAliases = statement('SELECT EXISTS (SELECT 1 FROM crawl_url WHERE run_id = ? AND alias_of IS NOT NULL) AS has');
  const confirmAlias = statement(`UPDATE crawl_url SET alias_of = NULL, reason = 'duplicate', rule = ? WHERE id = ?`);
  const rejectAlias = statement(
    `UPDATE crawl_url SET alias_of = NULL, state = 'pending', reason = NULL, rule = NULL, content_hash = NULL, sketch = NULL, ignores_canonical = 1 WHERE id = ?`,
  );
  const firstLines = statement('SELECT url, source, state AS outcome, reason, rule FROM crawl_url WHERE run_id = ? ORDER BY id LIMIT ?');
  const closePending = statement(`UPDATE crawl_url SET state = 'skipped', reason = ?, rule = ? WHERE run_id = ? AND state = 'pending'`);

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
    pendingByHost: () => allRows<{ host: string; n: number }>(pendingByHost, runId).map(({ host, n }) => [host, n] as const),
    /** False when the identity is known already. */
    insert: (row: NewUrl) =>
      insert.run(
        runId,
        row.identityHash,
        row.keyHash,
        row.url,
        row.key === row.url ? null : row.key,
        row.host,
        row.depth,
        row.source,
        row.parent ?? null,
        row.state,
        row.reason ?? null,
        row.rule ?? null,
      ).changes === 1,
    findByIdentity: (identityHash: Uint8Array) => byIdentity.get(runId, identityHash) as SettlingRow | undefined,
    findKnown: (identityHash: Uint8Array) => knownByIdentity.get(runId, identityHash) as KnownRow | undefined,
    find: (id: number) => byId.get(runId, id) as SettlingRow | undefined,
    findByFinal: (finalHash: Uint8Array) => byFinal.get(runId, finalHash) as KnownRow | undefined,
    findByContent: (contentHash: string) => byContent.get(runId, contentHash) as KnownRow | undefined,
    findTwin: (row: LeasedRow) =>
      twin.get(runId, row.key_hash, row.id) as { url: string; content_hash: string; sketch: string | null } | undefined,
    /** What may be leased at `host`, the next first. It is read as far as it is asked for; until then nothing may be written. */
    waiting: (host: string) => waiting.iterate(runId, host) as IterableIterator<LeasedRow>,
    reopen: (id: number, depth: number, source: UrlSource, parent: string | undefined) =>
      void reopen.run(depth, source, parent ?? null, id),
    move: (id: number, depth: number, source: UrlSource, parent: string | undefined) => void move.run(depth, source, parent ?? null, id),
    settle: (id: number, to: SettledUrl) =>
      void settle.run(
        to.state,
        to.reason ?? null,
        to.rule ?? null,
        to.status ?? null,
        to.finalUrl ?? null,
        to.finalHash ?? null,
        to.contentHash ?? null,
        to.sketch ?? null,
        to.aliasOf ?? null,
        id,
      ),
    aliasesOf: (identityHash: Uint8Array) => allRows<SettlingRow>(aliases, runId, identityHash),
    hasFinals: () => (hasFinals.get(runId) as { has: number }).has === 1,
    hasAliases: () => (hasAliases.get(runId) as { has: number }).has === 1,
    confirmAlias: (id: number, url: string) => void confirmAlias.run(url, id),
    rejectAlias: (id: number) => void rejectAlias.run(id),
    firstLines: (count: number) => allRows<FirstRow>(firstLines, runId, count),
    /** How many were closed. */
    closePending: (reason: string, rule: string | undefined) => Number(closePending.run(reason, rule ?? null, runId).changes),
  };
}
