// Decides what a fetched page is to the crawl: a page of its own, another address of a known one, or nothing.
import { dedupeKey } from '../url/dedupe-key.ts';
import { couldBeSamePlace } from '../url/same-place.ts';
import type { Admission } from './admission.ts';
import type { Skip } from './ledger.ts';
import type { PageLinks } from './page-links.ts';
import type { CrawlStore, KnownUrl, LeasedUrl } from './store.ts';
import type { RecentPages } from './recent-pages.ts';
import type { TwinMemory } from './twin-memory.ts';

/** Why a page is not kept. `aliasOf` is set when its canonical address must be fetched before that is certain. */
export interface Refusal {
  readonly skip: Skip;
  readonly aliasOf: string | undefined;
  /** The address that has the content, or would have. */
  readonly other: string;
}

/** With less text than this, equal text says nothing: a page that is drawn by a script shows the same to everyone. */
const TEXT_BYTES_MIN = 64;

/** What a judgement looks things up in. */
export interface JudgePorts<Result> {
  readonly store: Pick<CrawlStore<Result>, 'find'>;
  readonly recent: RecentPages;
  readonly admission: Admission;
  readonly twins: TwinMemory;
}

/** What a page is to the crawl. */
export interface Judgement {
  /** Why it is not kept; undefined when it is. */
  readonly refusal: Refusal | undefined;
  /** An address with the same content, also where the page is kept: it may still show that a class of addresses leads nowhere. */
  readonly sameContent: string | undefined;
  /** Takes a kept page back that could not be saved. */
  readonly forget: () => void;
}

/** Judges the page that answered at `finalUrl` for `leased` and has `links`. A page that is kept is known to all other judgements from then on. */
export async function judgePage<Result>(
  finalUrl: string,
  links: PageLinks,
  leased: LeasedUrl,
  ports: JudgePorts<Result>,
  nowMs: number,
): Promise<Judgement> {
  const { store, recent, admission } = ports;
  const own = admission.identityOf(leased.url);
  const final = admission.identityOf(finalUrl);
  const canonical = canonicalFor(links, finalUrl, leased, ports, nowMs);
  const others = new Set([final, ...(canonical === undefined ? [] : [admission.identityOf(canonical)])]);
  others.delete(own);
  const stored = await store.find({ contentHash: links.contentHash, own, identities: [...others] });
  // From here to the end nothing is awaited: what other visits keep is seen now, and what this one keeps is seen by them.
  const find = (identity: string) => recent.findIdentity(identity) ?? (identity === own ? stored.own : stored.byIdentity.get(identity));
  const same = stored.sameContent ?? recent.findContent(links.contentHash);
  const other = same && same.url !== leased.url ? same : undefined;
  const facts = { own, final, canonical, other, hasText: links.textBytes >= TEXT_BYTES_MIN, find };
  const refusal = findRefusal(links, leased, facts, ports);
  const keptPage = { url: leased.url, key: leased.key, contentHash: links.contentHash, identities: [own, final] };
  return { refusal, sameContent: facts.hasText ? other?.url : undefined, forget: refusal ? () => undefined : recent.keep(keptPage) };
}

/** What is known about a page when it is judged. */
interface PageFacts {
  readonly own: string;
  readonly final: string;
  readonly canonical: string | undefined;
  /** A kept page with the same content. */
  readonly other: KnownUrl | undefined;
  readonly hasText: boolean;
  readonly find: (identity: string) => KnownUrl | undefined;
}

function findRefusal<Result>(links: PageLinks, leased: LeasedUrl, facts: PageFacts, ports: JudgePorts<Result>): Refusal | undefined {
  const { twins, admission } = ports;
  const { own, final, canonical, other, hasText, find } = facts;
  if (leased.twin) twins.observe(leased.url, leased.twin.url, leased.twin.contentHash === links.contentHash);
  const keptFor = (identity: string) => {
    const known = find(identity);
    return known && isKept(known) && known.url !== leased.url ? known.url : undefined;
  };
  const answered = keptFor(own);
  if (answered !== undefined) return duplicateOf(answered, `answered for ${answered}`);
  const target = keptFor(final);
  if (target !== undefined) return duplicateOf(target, `redirects to ${target}`);
  if (other && isSamePage(hasText, leased, other)) {
    if (canonical === other.url) twins.observeCanonical(leased.url, true);
    return duplicateOf(other.url, `same content as ${other.url}`);
  }
  return canonical === undefined ? undefined : judgeCanonical(canonical, admission.identityOf(canonical), find, leased, twins);
}

/** The address that the page calls its own, where that is another one that the crawl may fetch. */
function canonicalFor<Result>(
  links: PageLinks,
  finalUrl: string,
  leased: LeasedUrl,
  ports: JudgePorts<Result>,
  nowMs: number,
): string | undefined {
  const { canonical } = links;
  if (canonical === undefined || canonical === leased.url || canonical === finalUrl) return undefined;
  // A page that was asked for by name is that page, whatever it calls itself.
  if (leased.source === 'seed' || leased.ignoresCanonical || ports.twins.distrustsCanonical(leased.url)) return undefined;
  const skip = ports.admission.findSkip({ url: canonical, source: 'canonical', depth: leased.depth, parent: leased.url }, nowMs);
  return skip ? undefined : canonical;
}

function judgeCanonical(
  canonical: string,
  identity: string,
  find: PageFacts['find'],
  leased: LeasedUrl,
  twins: TwinMemory,
): Refusal | undefined {
  const known = find(identity);
  if (known && isKept(known)) {
    // It was fetched and shows something else: the link is wrong, as where every page of a list names the first.
    twins.observeCanonical(leased.url, false);
    return undefined;
  }
  if (known && known.state !== 'pending') return undefined;
  return { skip: { reason: 'canonical', rule: canonical }, aliasOf: identity, other: canonical };
}

function isSamePage(hasText: boolean, leased: LeasedUrl, same: KnownUrl): boolean {
  return dedupeKey(same.url) === leased.key || (hasText && couldBeSamePlace(same.url, leased.url));
}

function isKept(known: KnownUrl): boolean {
  return known.state === 'fetched' || known.state === 'reused';
}

function duplicateOf(other: string, rule: string): Refusal {
  return { skip: { reason: 'duplicate', rule }, aliasOf: undefined, other };
}
