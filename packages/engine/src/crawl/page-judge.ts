// Decides what a fetched page is to the crawl: a page of its own, another address of a known one, or nothing.
import type { Page } from '../ports.ts';
import { dedupeKey } from '../url/dedupe-key.ts';
import { couldBeSamePlace } from '../url/same-place.ts';
import type { Admission } from './admission.ts';
import type { Skip } from './ledger.ts';
import type { PageLinks } from './page-links.ts';
import type { KnownUrl, LeasedUrl } from './store.ts';
import type { SettleQueue } from './settle-queue.ts';
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
  readonly queue: SettleQueue<Result>;
  readonly admission: Admission;
  readonly twins: TwinMemory;
}

/** What a page is to the crawl. */
export interface Judgement {
  /** Why it is not kept; undefined when it is. */
  readonly refusal: Refusal | undefined;
  /** An address with the same content, also where the page is kept: it may still show that a class of addresses leads nowhere. */
  readonly sameContent: string | undefined;
}

/** Judges `page`, which answered for `leased` and has `links`. */
export async function judgePage<Result>(
  page: Page,
  links: PageLinks,
  leased: LeasedUrl,
  ports: JudgePorts<Result>,
  nowMs: number,
): Promise<Judgement> {
  const { queue, admission, twins } = ports;
  const own = admission.identityOf(leased.url);
  const final = admission.identityOf(page.url);
  const canonical = canonicalFor(links, page, leased, ports, nowMs);
  const identities = [...new Set([own, final, ...(canonical === undefined ? [] : [admission.identityOf(canonical)])])];
  const known = await queue.find({ contentHash: links.contentHash, identities });
  // What another visit kept while the store was asked.
  const same = known.sameContent ?? queue.findKept(links.contentHash);
  if (leased.twin) twins.observe(leased.url, leased.twin.url, leased.twin.contentHash === links.contentHash);
  const hasText = links.textBytes >= TEXT_BYTES_MIN;
  const sameContent = same && same.url !== leased.url && hasText ? same.url : undefined;
  const kept = (identity: string) => {
    const found = known.byIdentity.get(identity);
    return found && isKept(found) && found.url !== leased.url ? found.url : undefined;
  };
  const answered = kept(own);
  if (answered !== undefined) return { refusal: duplicateOf(answered, `answered for ${answered}`), sameContent };
  const target = kept(final);
  if (target !== undefined) return { refusal: duplicateOf(target, `redirects to ${target}`), sameContent };
  if (same && same.url !== leased.url && isSamePage(hasText, leased, same)) {
    if (canonical === same.url) twins.observeCanonical(leased.url, true);
    return { refusal: duplicateOf(same.url, `same content as ${same.url}`), sameContent: same.url };
  }
  if (canonical === undefined) return { refusal: undefined, sameContent };
  const identity = admission.identityOf(canonical);
  return { refusal: judgeCanonical(canonical, identity, known.byIdentity.get(identity), leased, twins), sameContent };
}

/** The address that the page calls its own, where that is another one that the crawl may fetch. */
function canonicalFor<Result>(
  links: PageLinks,
  page: Page,
  leased: LeasedUrl,
  ports: JudgePorts<Result>,
  nowMs: number,
): string | undefined {
  const { canonical } = links;
  if (canonical === undefined || canonical === leased.url || canonical === page.url) return undefined;
  // A page that was asked for by name is that page, whatever it calls itself.
  if (leased.source === 'seed' || leased.ignoresCanonical || ports.twins.distrustsCanonical(leased.url)) return undefined;
  const skip = ports.admission.findSkip({ url: canonical, source: 'canonical', depth: leased.depth, parent: leased.url }, nowMs);
  return skip ? undefined : canonical;
}

function judgeCanonical(
  canonical: string,
  identity: string,
  known: KnownUrl | undefined,
  leased: LeasedUrl,
  twins: TwinMemory,
): Refusal | undefined {
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
