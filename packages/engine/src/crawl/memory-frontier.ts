// A frontier in memory, for a crawl that nobody goes on with: the smallest complete implementation of the port.
import type { CrawlCounts, Skip, UrlOffer } from './ledger.ts';
import { isAlike } from './judge/likeness.ts';
import { StaleOwnerError } from './frontier-store.ts';
import type { CrawlResume, FirstLine, FrontierStore, Found, KnownUrl, LeasedUrl, Lookup, Settlement, Verdict } from './frontier-store.ts';

interface Row {
  readonly id: number;
  readonly offer: Omit<UrlOffer, 'depth' | 'parent' | 'source' | 'skip'>;
  depth: number;
  parent: string | undefined;
  source: UrlOffer['source'];
  readonly isTwin: boolean;
  /** Whether it was first met as what a page calls canonical. */
  readonly isCanonical: boolean;
  state: 'pending' | Verdict<unknown>['outcome'];
  lease: { readonly owner: number; readonly untilMs: number } | undefined;
  reason: string | undefined;
  rule: string | undefined;
  status: number | undefined;
  finalUrl: string | undefined;
  contentHash: string | undefined;
  sketch: string | undefined;
  aliasOf: string | undefined;
  ignoresCanonical: boolean;
}

/** What outlives an owner: hand the same object to a second store to resume. */
export class CrawlTables<Result> {
  readonly rows: Row[] = [];
  readonly byIdentity = new Map<string, Row>();
  readonly byKey = new Map<string, Row[]>();
  readonly byContent = new Map<string, Row>();
  readonly byFinalUrl = new Map<string, Row>();
  readonly aliases = new Map<string, Set<Row>>();
  /** Waiting rows by host, then by rank: a twin's rank is beyond every depth, a canonical address's before. A row can lie under a rank that it no longer has. */
  readonly open = new Map<string, Map<number, Set<Row>>>();
  readonly leased = new Set<Row>();
  /** What the sink made of each kept page, by ledger URL. */
  readonly results: { readonly url: string; readonly result: Result }[] = [];
  readonly counts = { discovered: 0, fetched: 0, reused: 0, failed: 0, skipped: 0, pending: 0 };
  owner = 0;
  memory: string | undefined;
}

/** One owner of a crawl in memory. */
export class MemoryFrontierStore<Result> implements FrontierStore<Result> {
  readonly tables: CrawlTables<Result>;
  private owner = -1;

  constructor(tables: CrawlTables<Result> = new CrawlTables()) {
    this.tables = tables;
  }

  async open(): Promise<CrawlResume> {
    this.owner = ++this.tables.owner;
    const pendingByHost = new Map<string, number>();
    for (const row of this.tables.leased) this.endLease(row);
    for (const row of this.tables.rows) {
      if (row.state === 'pending') addOne(pendingByHost, row.offer.host);
    }
    return { counts: await this.counts(), pendingByHost, memory: this.tables.memory };
  }

  async offer(offers: readonly UrlOffer[]): Promise<ReadonlyMap<string, number>> {
    const pending = new Map<string, number>();
    for (const offer of offers) this.offerOne(offer, pending);
    return pending;
  }

  async lease(
    wants: readonly { readonly host: string; readonly count: number }[],
    nowMs: number,
    untilMs: number,
  ): Promise<readonly LeasedUrl[]> {
    this.requireOwner();
    for (const row of this.tables.leased) if (row.lease && row.lease.untilMs <= nowMs) this.endLease(row);
    return wants.flatMap(({ host, count }) => {
      const taken: Row[] = [];
      while (taken.length < count) {
        const row = this.nextFree(host);
        if (!row) break;
        row.lease = { owner: this.owner, untilMs };
        this.tables.leased.add(row);
        taken.push(row);
      }
      return taken.map((row) => this.leasedUrl(row));
    });
  }

  async settle(
    settlements: readonly Settlement<Result>[],
    memory?: string,
  ): Promise<{ counts: CrawlCounts; pendingByHost: ReadonlyMap<string, number> }> {
    this.requireOwner();
    const pending = new Map<string, number>();
    for (const { id, verdict, offers, owner } of settlements) {
      const row = this.tables.rows[id];
      if (!row || row.state !== 'pending' || row.lease?.owner !== this.owner) continue;
      if (owner) this.settleOwner(owner, pending);
      for (const offer of offers) this.offerOne(offer, pending);
      this.settleRow(row, verdict, pending);
    }
    if (memory !== undefined) this.tables.memory = memory;
    return { counts: await this.counts(), pendingByHost: pending };
  }

  async release(ids: readonly number[]): Promise<void> {
    this.requireOwner();
    for (const id of ids) {
      const row = this.tables.rows[id];
      if (row?.lease?.owner === this.owner) this.endLease(row);
    }
  }

  async find(lookup: Lookup): Promise<Found> {
    const byIdentity = new Map<string, KnownUrl>();
    for (const identity of lookup.identities) {
      const row = this.tables.byFinalUrl.get(identity) ?? this.tables.byIdentity.get(identity);
      if (row) byIdentity.set(identity, knownUrl(row));
    }
    const same = lookup.contentHash === undefined ? undefined : this.tables.byContent.get(lookup.contentHash);
    const own = lookup.own === undefined ? undefined : this.tables.byFinalUrl.get(lookup.own);
    return { sameContent: same && knownUrl(same), own: own && own.offer.identity !== lookup.own ? knownUrl(own) : undefined, byIdentity };
  }

  async closePending(skip: Skip): Promise<CrawlCounts> {
    this.requireOwner();
    for (const row of this.tables.rows) {
      if (row.state !== 'pending') continue;
      Object.assign(row, { state: 'skipped', reason: skip.reason, rule: skip.rule });
      this.endLease(row);
      this.tables.counts.pending--;
      this.tables.counts.skipped++;
    }
    return this.counts();
  }

  async counts(): Promise<CrawlCounts> {
    return { ...this.tables.counts };
  }

  async firstLines(count: number): Promise<readonly FirstLine[]> {
    return this.tables.rows.slice(0, count).map(({ offer, source, state, reason, rule }) => ({
      url: offer.url,
      source,
      outcome: state,
      ...(reason === undefined ? {} : { reason }),
      ...(rule === undefined ? {} : { rule }),
    }));
  }

  /** The whole ledger in order of discovery. */
  ledger() {
    return this.tables.rows.map((row) => ({
      url: row.offer.url,
      outcome: row.state,
      reason: row.reason,
      rule: row.rule,
      parent: row.parent,
      source: row.source,
      depth: row.depth,
      status: row.status,
      finalUrl: row.finalUrl,
      contentHash: row.contentHash,
    }));
  }

  private settleOwner({ offer, verdict }: NonNullable<Settlement<Result>['owner']>, pending: Map<string, number>): void {
    this.offerOne(offer, pending);
    const row = this.tables.byIdentity.get(offer.identity);
    if (row?.state === 'pending') this.settleRow(row, verdict, pending);
  }

  private offerOne(offer: UrlOffer, pending: Map<string, number>): void {
    const known = this.tables.byIdentity.get(offer.identity);
    if (known) this.offerKnown(known, offer, pending);
    else this.add(offer, pending);
  }

  private add(offer: UrlOffer, pending: Map<string, number>): void {
    const { tables } = this;
    const { depth, parent, source, skip, ...rest } = offer;
    const sameKey = tables.byKey.get(offer.key) ?? [];
    const row: Row = {
      id: tables.rows.length,
      offer: rest,
      depth,
      parent,
      source,
      isTwin: sameKey.length > 0 || offer.isLate === true,
      isCanonical: source === 'canonical',
      state: skip ? 'skipped' : 'pending',
      lease: undefined,
      reason: skip?.reason,
      rule: skip?.rule,
      status: undefined,
      finalUrl: undefined,
      contentHash: undefined,
      sketch: undefined,
      aliasOf: undefined,
      ignoresCanonical: false,
    };
    tables.rows.push(row);
    tables.counts.discovered++;
    tables.counts[row.state]++;
    tables.byIdentity.set(offer.identity, row);
    sameKey.push(row);
    tables.byKey.set(offer.key, sameKey);
    if (!skip) this.makePending(row, pending);
  }

  private offerKnown(row: Row, offer: UrlOffer, pending: Map<string, number>): void {
    const { depth, parent, source, skip } = offer;
    if (row.state === 'skipped' && row.reason === 'depth' && !skip) {
      Object.assign(row, { state: 'pending', depth, parent, source, reason: undefined, rule: undefined });
      this.reopened();
      this.makePending(row, pending);
    } else if (row.state === 'pending' && skip && isFinal(skip) && !row.lease && row.source !== 'seed') {
      this.settleRow(row, { outcome: 'skipped', skip, status: undefined, contentHash: undefined, aliasOf: undefined }, pending);
    } else if (row.state === 'pending' && !skip && depth < row.depth) {
      Object.assign(row, { depth, parent, source });
      if (!row.lease) this.queue(row);
    }
  }

  private makePending(row: Row, pending: Map<string, number>): void {
    this.queue(row);
    addOne(pending, row.offer.host);
  }

  private queue(row: Row): void {
    const byRank = this.tables.open.get(row.offer.host) ?? new Map<number, Set<Row>>();
    this.tables.open.set(row.offer.host, byRank);
    byRank.set(rankOf(row), (byRank.get(rankOf(row)) ?? new Set()).add(row));
  }

  private nextFree(host: string): Row | undefined {
    const byRank = this.tables.open.get(host) ?? new Map<number, Set<Row>>();
    for (const rank of [...byRank.keys()].toSorted((a, b) => a - b)) {
      for (const row of byRank.get(rank) ?? []) {
        byRank.get(rank)?.delete(row);
        if (row.state === 'pending' && !row.lease && rankOf(row) === rank) return row;
      }
      byRank.delete(rank);
    }
    return undefined;
  }

  private endLease(row: Row): void {
    row.lease = undefined;
    this.tables.leased.delete(row);
    if (row.state === 'pending') this.queue(row);
  }

  private settleRow(row: Row, verdict: Verdict<Result>, pending: Map<string, number>): void {
    const { tables } = this;
    row.state = verdict.outcome;
    this.endLease(row);
    this.tables.counts.pending--;
    this.tables.counts[row.state]++;
    row.status = verdict.status;
    if (verdict.outcome === 'failed') {
      Object.assign(row, { reason: verdict.reason, rule: verdict.rule });
    } else if (verdict.outcome === 'skipped') {
      Object.assign(row, {
        reason: verdict.skip.reason,
        rule: verdict.skip.rule,
        contentHash: verdict.contentHash,
        sketch: verdict.sketch,
        aliasOf: verdict.aliasOf,
      });
      if (verdict.aliasOf !== undefined) this.addAlias(row, verdict.aliasOf, pending);
    } else {
      Object.assign(row, { rule: verdict.rule, finalUrl: verdict.finalUrl, contentHash: verdict.contentHash, sketch: verdict.sketch });
      if (!tables.byContent.has(verdict.contentHash)) tables.byContent.set(verdict.contentHash, row);
      if (!tables.byFinalUrl.has(verdict.finalUrl)) tables.byFinalUrl.set(verdict.finalUrl, row);
      tables.results.push({ url: row.offer.url, result: verdict.result });
    }
    this.resolveAliases(row, pending);
  }

  private addAlias(row: Row, identity: string, pending: Map<string, number>): void {
    const waiting = this.tables.aliases.get(identity) ?? new Set();
    this.tables.aliases.set(identity, waiting.add(row));
    const target = this.tables.byIdentity.get(identity);
    if (target && target.state !== 'pending') this.resolveAliases(target, pending);
  }

  private resolveAliases(target: Row, pending: Map<string, number>): void {
    const isKept = target.state === 'fetched' || target.state === 'reused';
    for (const row of this.tables.aliases.get(target.offer.identity) ?? []) {
      if (row.aliasOf === undefined) continue;
      row.aliasOf = undefined;
      if (isKept && (row.contentHash === target.contentHash || isAlike(row.sketch ?? '', target.sketch ?? ''))) {
        Object.assign(row, { reason: 'duplicate', rule: target.offer.url });
        continue;
      }
      Object.assign(row, { state: 'pending', reason: undefined, rule: undefined, contentHash: undefined, ignoresCanonical: true });
      this.reopened();
      this.makePending(row, pending);
    }
    this.tables.aliases.delete(target.offer.identity);
  }

  private reopened(): void {
    this.tables.counts.skipped--;
    this.tables.counts.pending++;
  }

  private leasedUrl(row: Row): LeasedUrl {
    const { url, key, host } = row.offer;
    const twin = this.tables.byKey.get(key)?.find((other) => other !== row && (other.state === 'fetched' || other.state === 'reused'));
    return {
      id: row.id,
      url,
      key,
      host,
      depth: row.depth,
      source: row.source,
      parent: row.parent,
      ignoresCanonical: row.ignoresCanonical,
      twin: twin && { url: twin.offer.url, contentHash: twin.contentHash ?? '', sketch: twin.sketch },
    };
  }

  private requireOwner(): void {
    if (this.owner !== this.tables.owner) throw new StaleOwnerError();
  }
}

/** Whether a skip holds for an address that waits, too. */
function isFinal({ reason }: Skip): boolean {
  return reason === 'duplicate' || reason === 'redirect' || reason === 'acts';
}

function rankOf(row: Row): number {
  return row.isCanonical ? row.depth - 1_000_000 : row.isTwin ? 1_000_000 + row.depth : row.depth;
}

function knownUrl(row: Row): KnownUrl {
  return { url: row.offer.url, state: row.state, contentHash: row.contentHash, sketch: row.sketch };
}

function addOne(counts: Map<string, number>, host: string): void {
  counts.set(host, (counts.get(host) ?? 0) + 1);
}
