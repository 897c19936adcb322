// The rules of a ledger (see FrontierStore), applied to those of its lines that a transaction has read: what comes of it is written in sets.
import { isAlike } from '@weft/engine';
import type { CrawlCounts, Settlement, Skip, UrlOffer, UrlSource, Verdict } from '@weft/engine';
import { urlHash } from '@weft/serve';

/** A line of the ledger. Hashes are in hexadecimal digits. */
export interface LedgerRow {
  readonly id: number;
  readonly identity: string;
  readonly keyHash: string;
  readonly url: string;
  readonly key: string;
  readonly host: string;
  /** Met first as what a page calls canonical. */
  readonly isCanonical: boolean;
  /** One with this key came before it in the same transaction, or it was offered as late. */
  readonly isTwin: boolean;
  depth: number;
  source: UrlSource;
  parent: string | undefined;
  state: 'pending' | 'fetched' | 'reused' | 'failed' | 'skipped';
  reason: string | undefined;
  rule: string | undefined;
  status: number | undefined;
  finalUrl: string | undefined;
  contentHash: string | undefined;
  sketch: string | undefined;
  aliasOf: string | undefined;
  ignoresCanonical: boolean;
}

/** A page that is kept with the line that it is of. */
export interface KeptResult<Result> {
  readonly urlId: number;
  readonly outcome: 'fetched' | 'reused';
  readonly result: Result;
}

/** A settlement of a page that calls another one its own of which this ledger never learns: the page has to stand for itself. */
export interface LoneSettlement<Result> extends Settlement<Result> {
  readonly standsAlone?: boolean;
}

/** What a line is found by. */
export function hashOf(text: string): string {
  return Buffer.from(urlHash(text)).toString('hex');
}

export class LedgerChange {
  readonly added: LedgerRow[] = [];
  readonly changed = new Set<LedgerRow>();
  readonly delta: { -readonly [Name in keyof CrawlCounts]: number } = {
    discovered: 0,
    fetched: 0,
    reused: 0,
    failed: 0,
    skipped: 0,
    pending: 0,
  };
  readonly pendingByHost = new Map<string, number>();
  private readonly byIdentity = new Map<string, LedgerRow>();
  private readonly byId = new Map<number, LedgerRow>();
  private readonly waiting = new Set<LedgerRow>();
  private readonly keys = new Set<string>();
  private readonly isLeased: (id: number) => boolean;
  private nextId: number;

  /** `known`: every line that an offer or a settlement names, and those that wait for one of them. */
  constructor(known: readonly LedgerRow[], nextId: number, isLeased: (id: number) => boolean) {
    for (const row of known) this.note(row);
    this.nextId = nextId;
    this.isLeased = isLeased;
  }

  offer(offer: UrlOffer): void {
    const known = this.byIdentity.get(hashOf(offer.identity));
    if (known) this.offerKnown(known, offer);
    else this.add(offer);
  }

  /** Rules 8 and 10: a settlement of a line that this owner does not hold is left out with its offers. Returns what is to be kept. */
  settle<Result>({ id, verdict, offers, owner, standsAlone }: LoneSettlement<Result>): readonly KeptResult<Result>[] {
    const row = this.isLeased(id) ? this.byId.get(id) : undefined;
    if (row?.state !== 'pending') return [];
    const owned = owner ? this.settleOwner(owner) : [];
    for (const offer of offers) this.offer(offer);
    if (standsAlone === true) {
      this.change(row, { ignoresCanonical: true });
      this.addPending(row);
      return owned;
    }
    this.settleRow(row, verdict);
    return [...owned, ...keptOf(row, verdict)];
  }

  private settleOwner<Result>({ offer, verdict }: NonNullable<Settlement<Result>['owner']>): readonly KeptResult<Result>[] {
    this.offer(offer);
    const row = this.byIdentity.get(hashOf(offer.identity));
    if (row?.state !== 'pending') return [];
    this.settleRow(row, verdict);
    return keptOf(row, verdict);
  }

  private add(offer: UrlOffer): void {
    const { identity, skip, ...rest } = offer;
    const keyHash = hashOf(offer.key);
    const row: LedgerRow = {
      ...rest,
      id: this.nextId++,
      identity: hashOf(identity),
      keyHash,
      isCanonical: offer.source === 'canonical',
      isTwin: this.keys.has(keyHash) || offer.isLate === true,
      state: skip ? 'skipped' : 'pending',
      reason: skip?.reason,
      rule: skip?.rule,
      status: undefined,
      finalUrl: undefined,
      contentHash: undefined,
      sketch: undefined,
      aliasOf: undefined,
      ignoresCanonical: false,
    };
    this.keys.add(keyHash);
    this.note(row);
    this.added.push(row);
    this.delta.discovered++;
    this.delta[row.state]++;
    if (!skip) this.addPending(row);
  }

  /** Rules 4 and 5. */
  private offerKnown(row: LedgerRow, { depth, source, parent, skip }: UrlOffer): void {
    if (row.state === 'skipped' && row.reason === 'depth' && !skip) {
      this.change(row, { depth, source, parent });
      this.reopen(row);
    } else if (row.state === 'pending' && skip && isFinal(skip) && row.source !== 'seed' && !this.isLeased(row.id)) {
      this.settleRow(row, { outcome: 'skipped', skip, status: undefined, contentHash: undefined, aliasOf: undefined });
    } else if (row.state === 'pending' && !skip && depth < row.depth) this.change(row, { depth, source, parent });
  }

  private settleRow(row: LedgerRow, verdict: Verdict<unknown>): void {
    this.change(row, settled(verdict));
    this.delta.pending--;
    this.delta[row.state]++;
    const target = row.aliasOf === undefined ? undefined : this.byIdentity.get(row.aliasOf);
    if (target && target.state !== 'pending') this.resolveAliases(target);
    this.resolveAliases(row);
  }

  /** Rule 6: what waited for `target` is its duplicate, or must stand for itself. */
  private resolveAliases(target: LedgerRow): void {
    const isKept = target.state === 'fetched' || target.state === 'reused';
    for (const row of this.waiting) {
      if (row.aliasOf !== target.identity) continue;
      this.waiting.delete(row);
      const isSame = isKept && (row.contentHash === target.contentHash || isAlike(row.sketch ?? '', target.sketch ?? ''));
      if (isSame) this.change(row, { aliasOf: undefined, reason: 'duplicate', rule: target.url });
      else {
        this.change(row, { aliasOf: undefined, contentHash: undefined, sketch: undefined, ignoresCanonical: true });
        this.reopen(row);
      }
    }
  }

  private reopen(row: LedgerRow): void {
    this.change(row, { state: 'pending', reason: undefined, rule: undefined });
    this.delta.skipped--;
    this.delta.pending++;
    this.addPending(row);
  }

  private change(row: LedgerRow, to: Partial<LedgerRow>): void {
    Object.assign(row, to);
    this.changed.add(row);
    if (row.aliasOf !== undefined) this.waiting.add(row);
  }

  private note(row: LedgerRow): void {
    this.byId.set(row.id, row);
    this.byIdentity.set(row.identity, row);
    if (row.aliasOf !== undefined) this.waiting.add(row);
  }

  private addPending({ host }: LedgerRow): void {
    this.pendingByHost.set(host, (this.pendingByHost.get(host) ?? 0) + 1);
  }
}

/** Whether a skip holds for an address that waits, too. */
function isFinal({ reason }: Skip): boolean {
  return reason === 'duplicate' || reason === 'redirect' || reason === 'acts';
}

function keptOf<Result>({ id }: LedgerRow, verdict: Verdict<Result>): readonly KeptResult<Result>[] {
  if (verdict.outcome !== 'fetched' && verdict.outcome !== 'reused') return [];
  return [{ urlId: id, outcome: verdict.outcome, result: verdict.result }];
}

function settled(verdict: Verdict<unknown>): Partial<LedgerRow> {
  const { outcome: state, status } = verdict;
  if (verdict.outcome === 'failed') return { state, status, reason: verdict.reason, rule: verdict.rule };
  if (verdict.outcome === 'skipped') {
    const { skip, contentHash, sketch, aliasOf } = verdict;
    return { state, status, ...skip, contentHash, sketch, aliasOf: aliasOf === undefined ? undefined : hashOf(aliasOf) };
  }
  const { rule, finalUrl, contentHash, sketch } = verdict;
  return { state, status, rule, finalUrl, contentHash, sketch };
}
