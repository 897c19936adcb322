// Follows the redirects of one visit, so that what several addresses redirect to is asked for once.
import { PageError } from '../../errors.ts';
import type { Admission } from '../admission.ts';
import { BoundedMap } from '../bounded-map.ts';
import type { CrawlPorts } from '../crawl-ports.ts';
import type { Skip, UrlOffer } from '../ledger.ts';
import type { RecentPages } from './recent-pages.ts';
import type { FrontierStore, LeasedUrl, Settlement, Verdict } from '../frontier-store.ts';

const TARGETS_MAX = 2_000;

/** That a redirect need not be followed: what it leads to has its own place in the ledger, or may not be asked for. */
export class RedirectEnd extends PageError {
  readonly skip: Skip;

  constructor(skip: Skip, url: string, status: number) {
    super('address', skip.rule ?? skip.reason, { url, status, next: 'drop' });
    this.name = 'RedirectEnd';
    this.skip = skip;
  }
}

/** What redirects of this crawl are being followed to. A target is known here before the store knows it. */
export class RedirectTargets {
  private readonly claims = new BoundedMap<string, Promise<boolean>>(TARGETS_MAX);
  /** Identities of ledger lines that were asked for under their own address. */
  private readonly asked = new BoundedMap<string, true>(TARGETS_MAX);
  /** What became of identities on the way: `answered` where the answer of a redirect settles them, else why they have no page. */
  private readonly ends = new BoundedMap<string, 'answered' | Skip>(TARGETS_MAX);

  /** Notes that the line of `identity` is asked for by itself: no redirect to it need be followed from now on. */
  noteAsked(identity: string): void {
    this.asked.set(identity, true);
  }

  wasAsked(identity: string): boolean {
    return this.asked.has(identity);
  }

  /** Notes what a settlement says of the addresses that redirects led through. */
  note<Result>({ owner, offers }: Pick<Settlement<Result>, 'owner' | 'offers'>): void {
    if (owner) this.ends.set(owner.offer.identity, 'answered');
    for (const { identity, skip } of offers) if (skip?.reason === 'redirect' && this.claims.has(identity)) this.ends.set(identity, skip);
  }

  /** Waits for a visit that follows a redirect to `identity`, and says what became of that; undefined when no redirect led there. */
  async endOf(identity: string): Promise<'answered' | Skip | undefined> {
    await this.claims.get(identity);
    return this.ends.get(identity);
  }

  /** Resolves once the visit that follows a redirect to `identity` has ended, with whether its ledger line is on the way; undefined when none does. */
  find(identity: string): Promise<boolean> | undefined {
    return this.claims.get(identity);
  }

  /** Notes that a redirect is followed to `identity`; the function that comes back ends that. */
  claim(identity: string): (hasLine: boolean) => void {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.claims.set(identity, promise);
    return (hasLine) => {
      if (!hasLine && this.claims.get(identity) === promise) this.claims.delete(identity);
      resolve(hasLine);
    };
  }
}

/** What a trail looks things up in. */
export interface TrailPorts<Result> {
  readonly store: Pick<FrontierStore<Result>, 'find'>;
  readonly sink: Pick<CrawlPorts<Result>['sink'], 'findFresh' | 'findConfirmable'>;
  readonly admission: Admission;
  readonly recent: RecentPages;
  readonly targets: RedirectTargets;
  readonly now: () => number;
}

/** The redirects that one visit follows. */
export class RedirectTrail<Result> {
  private readonly leased: LeasedUrl;
  private readonly ports: TrailPorts<Result>;
  /** Where the redirects led, in order. */
  private readonly hops: string[] = [];
  private readonly ends: ((hasLine: boolean) => void)[] = [];

  constructor(leased: LeasedUrl, ports: TrailPorts<Result>) {
    this.leased = leased;
    this.ports = ports;
  }

  /** Called before a redirect to `url` is followed. Throws RedirectEnd where it need not or may not be. */
  async enter(url: string, status: number): Promise<void> {
    const { leased, ports } = this;
    const { admission, recent, store, targets } = ports;
    const identity = admission.identityOf(url);
    // Back where it began, as behind a gate that sets a cookie.
    if (!isElsewhere(url, leased.url, admission)) return;
    if (leased.source !== 'seed') {
      const skip = admission.findSkip({ url, source: 'redirect', depth: leased.depth, parent: leased.url }, ports.now());
      const rule = `redirects to ${url}${skip?.rule === undefined ? '' : `: ${skip.rule}`}`;
      if (skip) throw new RedirectEnd({ reason: skip.reason, rule }, url, status);
    }
    const known =
      recent.findIdentity(identity) ??
      (await store.find({ contentHash: undefined, own: undefined, identities: [identity] })).byIdentity.get(identity);
    const end = new RedirectEnd({ reason: 'redirect', rule: `redirects to ${url}` }, url, status);
    // The line may have come, and been asked for, while the store was looked into.
    if (known || (await this.hasCopy(url)) || targets.wasAsked(identity)) throw end;
    // Whoever follows one redirect already waits for no other: two could wait for each other.
    // Between the last look and the claim nothing is awaited.
    for (let claim = targets.find(identity); this.ends.length === 0 && claim; claim = targets.find(identity)) if (await claim) throw end;
    this.hops.push(url);
    this.ends.push(targets.claim(identity));
  }

  /** Ends the trail: `hasLine` when the ledger gets a line for each address that it led through. */
  end(hasLine: boolean): void {
    for (const end of this.ends.splice(0)) end(hasLine);
  }

  /** The settlement of the leased address where `target` has, or gets, a line of its own. */
  settlementTo(target: string, skip: Skip, status: number | undefined): Settlement<Result> {
    const verdict = { outcome: 'skipped', skip, status, contentHash: undefined, aliasOf: undefined } as const;
    if (this.leased.source === 'seed') this.ports.admission.addSeedAnswer(target, []);
    return { id: this.leased.id, verdict, offers: [...this.passed(target), ...offersTo(target, this.leased, this.ports)] };
  }

  /** Lines for the addresses between the leased one and `target`. */
  passed(target: string): readonly UrlOffer[] {
    const between = this.hops.filter((hop) => hop !== target);
    return between.flatMap((hop, i) => {
      const rule = `redirects to ${between[i + 1] ?? target}`;
      return offersTo(hop, this.leased, this.ports).map((offer) => ({ ...offer, skip: { reason: 'redirect', rule } as const }));
    });
  }

  /** A stored copy of the target answers a request of its own. */
  private async hasCopy(url: string): Promise<boolean> {
    return (await this.ports.sink.findConfirmable?.(url)) !== undefined;
  }
}

/** Whether the answer to `url` came from another address; hosts never see a route. */
export function isElsewhere(finalUrl: string, url: string, admission: Admission): boolean {
  const own = admission.identityOf(url);
  return admission.identityOf(finalUrl) !== own && finalUrl !== own.split('#', 1)[0];
}

/** `verdict` about the answer of `finalUrl`: of the leased address, or of the one that it redirects to. */
export function verdictOf<Result>(
  finalUrl: string,
  verdict: Verdict<Result>,
  leased: LeasedUrl,
  admission: Admission,
  nowMs: number,
): Pick<Settlement<Result>, 'verdict' | 'owner'> {
  const offer =
    admission.identityOf(finalUrl) === admission.identityOf(leased.url) ? undefined : offerTo(finalUrl, leased, admission, nowMs);
  if (!offer) return { verdict };
  const skip = { reason: 'redirect', rule: `redirects to ${finalUrl}` } as const;
  return {
    verdict: { outcome: 'skipped', skip, status: verdict.status, contentHash: undefined, aliasOf: undefined },
    owner: { offer: { ...offer, skip: undefined }, verdict },
  };
}

function offersTo<Result>(url: string, leased: LeasedUrl, { admission, now }: TrailPorts<Result>): readonly UrlOffer[] {
  const offer = offerTo(url, leased, admission, now());
  return offer ? [offer] : [];
}

/** What a seed leads to is a seed: asked for as written, whatever it is called. */
function offerTo(url: string, leased: LeasedUrl, admission: Admission, nowMs: number): UrlOffer | undefined {
  const source = leased.source === 'seed' ? 'seed' : 'redirect';
  return admission.offerFor({ url, source, depth: leased.depth, parent: leased.url }, nowMs);
}
