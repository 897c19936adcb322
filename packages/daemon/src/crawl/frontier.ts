// The frontier and ledger of one crawl on SQLite. The engine states the rules of the port; one suite holds every store to them.
import type { CrawlCounts, FrontierStore, KnownUrl, LeasedUrl, Settlement, Skip, UrlOffer, Verdict } from '@weft/engine';
import { StaleOwnerError, isAlike } from '@weft/engine';
import { urlHash } from '@weft/serve';
import type { Database } from '../db/open.ts';
import { transaction } from '../db/open.ts';

import type { FrontierSql, KnownRow, LeasedRow, SettledUrl, SettlingRow } from './frontier-sql.ts';
import { prepareFrontier } from './frontier-sql.ts';

/** Writes what kept pages brought, inside the transaction that settles their addresses. */
export type KeepResults<Result> = (results: readonly Result[]) => void;

/** What one transaction changes: the numbers of the ledger, and which hosts got work. */
interface Change {
  readonly delta: { -readonly [Name in keyof CrawlCounts]: CrawlCounts[Name] };
  readonly pendingByHost: Map<string, number>;
  /** Whether any address waits for its canonical one: most crawls have none, and each that is settled would be asked about. */
  hasAliases: boolean;
  readonly held: Held;
}

/** What the owner of a crawl keeps in memory. */
interface Held {
  /** Address -> when its lease ends. Leases need no file: whoever opens the crawl next begins without any, and this owner has ended. */
  readonly leases: Map<number, number>;
  /** Whether any kept page answered at another address than its own: most crawls have none, and each page that is judged would be asked about. */
  hasFinals: boolean;
}

/** The store of crawl `runId`, whose row must exist. `keep` is called at most once for each transaction, with the pages that it keeps. */
export function openFrontier<Result>({ fast }: Database, runId: number, keep: KeepResults<Result>): FrontierStore<Result> {
  const sql = prepareFrontier(fast, runId);
  let owner = -1;
  const held: Held = { leases: new Map(), hasFinals: true };
  const { leases } = held;
  const requireOwner = () => {
    if (sql.owner() !== owner) throw new StaleOwnerError();
  };
  const change = (work: (made: Change) => void) =>
    transaction(fast, () => {
      const delta = { discovered: 0, fetched: 0, reused: 0, failed: 0, skipped: 0, pending: 0 };
      const made: Change = { delta, pendingByHost: new Map(), hasAliases: sql.hasAliases(), held };
      work(made);
      sql.addCounts(made.delta);
      return { counts: sql.counts(), pendingByHost: made.pendingByHost };
    });

  return {
    async open() {
      leases.clear();
      return transaction(fast, () => {
        owner = sql.takeOver();
        held.hasFinals = sql.hasFinals();
        return { counts: sql.counts(), pendingByHost: new Map(sql.pendingByHost()), memory: sql.memory() };
      });
    },
    async offer(offers) {
      return change((made) => offers.forEach((offer) => offerOne(sql, offer, made))).pendingByHost;
    },
    async lease(wants, nowMs, untilMs) {
      requireOwner();
      const rows = wants.flatMap(({ host, count }) => takeFree(sql.waiting(host), count, ({ id }) => (leases.get(id) ?? 0) <= nowMs));
      for (const { id } of rows) leases.set(id, untilMs);
      return rows.map((row) => leasedUrl(sql, row));
    },
    async settle(settlements, memory) {
      const done = change((made) => {
        requireOwner();
        const kept = settlements.flatMap((settlement) => settleOne(sql, settlement, made));
        if (kept.length > 0) keep(kept);
        if (memory !== undefined) sql.setMemory(memory);
      });
      for (const { id } of settlements) leases.delete(id);
      return done;
    },
    async release(ids) {
      requireOwner();
      for (const id of ids) leases.delete(id);
    },
    async find({ contentHash, own, identities }) {
      const sameContent = contentHash === undefined ? undefined : sql.findByContent(contentHash);
      const answering = own !== undefined && held.hasFinals ? sql.findByFinal(urlHash(own)) : undefined;
      const found = identities.map((identity) => [identity, findIdentity(sql, identity)] as const);
      return {
        sameContent: sameContent && knownUrl(sameContent),
        own: answering && knownUrl(answering),
        byIdentity: new Map(found.flatMap(([identity, row]) => (row ? [[identity, knownUrl(row)] as const] : []))),
      };
    },
    async closePending(skip) {
      const { counts } = change(({ delta }) => {
        requireOwner();
        const closed = sql.closePending(skip.reason, skip.rule);
        delta.pending -= closed;
        delta.skipped += closed;
      });
      leases.clear();
      return counts;
    },
    async counts() {
      return sql.counts();
    },
    async firstLines(count) {
      return sql.firstLines(count).map(({ url, source, outcome, reason, rule }) => ({
        url,
        source,
        outcome,
        ...(reason === null ? {} : { reason }),
        ...(rule === null ? {} : { rule }),
      }));
    },
  };
}

/** The first `count` rows that are free; no more are read. */
function takeFree<Row>(rows: Iterable<Row>, count: number, isFree: (row: Row) => boolean): readonly Row[] {
  const taken: Row[] = [];
  for (const row of rows) {
    if (taken.length >= count) break;
    if (isFree(row)) taken.push(row);
  }
  return taken;
}

function offerOne(sql: FrontierSql, offer: UrlOffer, made: Change): void {
  const { skip, identity, ...rest } = offer;
  const identityHash = urlHash(identity);
  const keyHash = offer.key === identity ? identityHash : urlHash(offer.key);
  const state = skip ? 'skipped' : 'pending';
  if (!sql.insert({ ...rest, identityHash, keyHash, state, reason: skip?.reason, rule: skip?.rule })) {
    const known = sql.findByIdentity(identityHash);
    if (known) offerKnown(sql, known, offer, made);
    return;
  }
  made.delta.discovered++;
  made.delta[state]++;
  if (!skip) addPending(made, offer.host);
}

/** Rules 4 and 5 of the port. */
function offerKnown(sql: FrontierSql, row: SettlingRow, offer: UrlOffer, made: Change): void {
  const { depth, source, parent, skip } = offer;
  if (row.state === 'skipped' && row.reason === 'depth' && !skip) {
    sql.reopen(row.id, depth, source, parent);
    made.delta.skipped--;
    made.delta.pending++;
    addPending(made, row.host);
  } else if (row.state === 'pending' && skip && isFinal(skip) && row.source !== 'seed' && !made.held.leases.has(row.id)) {
    settleRow(sql, row, { outcome: 'skipped', skip, status: undefined, contentHash: undefined, aliasOf: undefined }, made);
  } else if (row.state === 'pending' && !skip && depth < row.depth) sql.move(row.id, depth, source, parent);
}

/** Whether a skip holds for an address that waits, too. */
function isFinal({ reason }: Skip): boolean {
  return reason === 'duplicate' || reason === 'redirect' || reason === 'acts';
}

/** Rules 8 and 10: a settlement of a row that this owner does not hold is left out with its offers. Returns what is to be kept. */
function settleOne<Result>(sql: FrontierSql, { id, verdict, offers, owner }: Settlement<Result>, made: Change): readonly Result[] {
  const row = made.held.leases.has(id) ? sql.find(id) : undefined;
  if (row?.state !== 'pending') return [];
  const owned = owner ? settleOwner(sql, owner, made) : [];
  for (const offer of offers) offerOne(sql, offer, made);
  settleRow(sql, row, verdict, made);
  return [...owned, ...resultsOf(verdict)];
}

function settleOwner<Result>(
  sql: FrontierSql,
  { offer, verdict }: NonNullable<Settlement<Result>['owner']>,
  made: Change,
): readonly Result[] {
  offerOne(sql, offer, made);
  const row = sql.findByIdentity(urlHash(offer.identity));
  if (row?.state !== 'pending') return [];
  settleRow(sql, row, verdict, made);
  return resultsOf(verdict);
}

function resultsOf<Result>(verdict: Verdict<Result>): readonly Result[] {
  return verdict.outcome === 'fetched' || verdict.outcome === 'reused' ? [verdict.result] : [];
}

function settleRow<Result>(sql: FrontierSql, row: SettlingRow, verdict: Verdict<Result>, made: Change): void {
  const settled = settledUrl(row.url, verdict);
  sql.settle(row.id, settled);
  if (settled.finalHash) made.held.hasFinals = true;
  made.delta.pending--;
  made.delta[verdict.outcome]++;
  if (settled.aliasOf) {
    made.hasAliases = true;
    const target = sql.findByIdentity(settled.aliasOf);
    if (target && target.state !== 'pending') resolveAliases(sql, target, made);
  }
  if (made.hasAliases)
    resolveAliases(sql, { ...row, state: settled.state, content_hash: settled.contentHash ?? null, sketch: settled.sketch ?? null }, made);
}

function settledUrl<Result>(url: string, verdict: Verdict<Result>): SettledUrl {
  const nothing = {
    reason: undefined,
    rule: undefined,
    finalUrl: undefined,
    finalHash: undefined,
    contentHash: undefined,
    sketch: undefined,
    aliasOf: undefined,
  };
  const { outcome: state, status } = verdict;
  if (verdict.outcome === 'failed') return { ...nothing, state, status, reason: verdict.reason, rule: verdict.rule };
  if (verdict.outcome === 'skipped') {
    const { skip, contentHash, sketch, aliasOf } = verdict;
    return { ...nothing, state, status, ...skip, contentHash, sketch, aliasOf: aliasOf === undefined ? undefined : urlHash(aliasOf) };
  }
  const { rule, finalUrl, contentHash, sketch } = verdict;
  if (finalUrl === url) return { ...nothing, state, status, rule, contentHash, sketch };
  return { ...nothing, state, status, rule, finalUrl, finalHash: urlHash(finalUrl), contentHash, sketch };
}

/** Rule 6: what waited for `target` is its duplicate, or must stand for itself. */
function resolveAliases(sql: FrontierSql, target: SettlingRow, made: Change): void {
  const isKept = target.state === 'fetched' || target.state === 'reused';
  for (const row of sql.aliasesOf(target.identity_hash)) {
    if (isKept && (row.content_hash === target.content_hash || isAlike(row.sketch ?? '', target.sketch ?? ''))) {
      sql.confirmAlias(row.id, target.url);
      continue;
    }
    sql.rejectAlias(row.id);
    made.delta.skipped--;
    made.delta.pending++;
    addPending(made, row.host);
  }
}

function addPending({ pendingByHost }: Change, host: string): void {
  pendingByHost.set(host, (pendingByHost.get(host) ?? 0) + 1);
}

function findIdentity(sql: FrontierSql, identity: string): KnownRow | undefined {
  const identityHash = urlHash(identity);
  return sql.findByFinal(identityHash) ?? sql.findKnown(identityHash);
}

function knownUrl({ url, state, content_hash, sketch }: KnownRow): KnownUrl {
  return { url, state, contentHash: content_hash ?? undefined, sketch: sketch ?? undefined };
}

function leasedUrl(sql: FrontierSql, row: LeasedRow): LeasedUrl {
  const twin = sql.findTwin(row);
  return {
    id: row.id,
    url: row.url,
    key: row.key ?? row.url,
    host: row.host,
    depth: row.depth,
    source: row.source,
    parent: row.parent ?? undefined,
    ignoresCanonical: row.ignores_canonical === 1,
    twin: twin && { url: twin.url, contentHash: twin.content_hash, sketch: twin.sketch ?? undefined },
  };
}
