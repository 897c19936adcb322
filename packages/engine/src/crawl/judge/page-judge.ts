// Decides what a fetched page is to the crawl: a page of its own, another address of a known one, or nothing.
import { dedupeKey } from '../../url/dedupe-key.ts';
import { couldBeSamePlace } from '../../url/same-place.ts';
import type { Admission } from '../admission.ts';
import { isSameText } from './canonical-waits.ts';
import type { CanonicalWaits } from './canonical-waits.ts';
import type { Skip } from '../ledger.ts';
import type { PageLinks } from '../links/page-links.ts';
import { isPageTurn } from '../links/paging-links.ts';
import { isElsewhere } from './redirect-trail.ts';
import type { FrontierStore, KnownUrl, LeasedUrl } from '../frontier-store.ts';
import type { RecentPages } from './recent-pages.ts';
import type { TwinMemory } from '../learn/twin-memory.ts';

/** Why a page is not kept. `aliasOf` is set when its canonical address must be fetched before that is certain. */
export interface Refusal {
  readonly skip: Skip;
  readonly aliasOf: string | undefined;
  /** The address that has the content, or would have. */
  readonly other: string;
  /** What the content of its canonical address must be alike to; without it, it must be equal. */
  readonly sketch?: string | undefined;
  /** Whether it shows the same at an address that could still lead elsewhere: another writing of one address carries on what it is written with. */
  readonly leadsElsewhere?: boolean;
}

/** With less text than this, equal text says nothing: a page that is drawn by a script shows the same to everyone. */
const TEXT_BYTES_MIN = 64;

/** What a judgement looks things up in. */
export interface JudgePorts<Result> {
  readonly store: Pick<FrontierStore<Result>, 'find'>;
  readonly recent: RecentPages;
  readonly admission: Admission;
  readonly twins: TwinMemory;
  readonly waits: CanonicalWaits;
}

/** What a page is to the crawl. */
export interface Judgement {
  /** Why it is not kept; undefined when it is. */
  readonly refusal: Refusal | undefined;
  /** The address that it is kept under: the one that answered, or its canonical one where that has made no difference so far. */
  readonly keptAs: string;
  /** An address with the same content or one that is alike, also where the page is kept: it may still show that a class of addresses leads nowhere. */
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
  const { store, recent, admission, twins, waits } = ports;
  const own = admission.identityOf(leased.url);
  const answeredAt = isElsewhere(finalUrl, leased.url, admission) ? finalUrl : leased.url;
  const final = admission.identityOf(answeredAt);
  const canonical = canonicalFor(links, finalUrl, leased, ports, nowMs);
  const others = new Set([final, ...(canonical === undefined ? [] : [admission.identityOf(canonical)])]);
  others.delete(own);
  const stored = await store.find({ contentHash: links.contentHash, own, identities: [...others] });
  // From here to the end nothing is awaited: what other visits keep is seen now, and what this one keeps is seen by them.
  const find = (identity: string) => recent.findIdentity(identity) ?? (identity === own ? stored.own : stored.byIdentity.get(identity));
  waits.observe(final, answeredAt, links, twins);
  const same = stored.sameContent ?? recent.findContent(links.contentHash);
  const other = same && same.url !== leased.url && same.url !== answeredAt ? same : undefined;
  const facts = { own, final, answeredAt, canonical, other, hasText: hasText(links), find };
  const refusal = findRefusal(links, leased, facts, ports);
  const keptAs = placeOf(leased, facts, ports);
  const key = keptAs === leased.url ? leased.key : dedupeKey(keptAs);
  const { contentHash, sketch } = links;
  const keptPage = { url: keptAs, key, contentHash, sketch, identities: [...new Set([own, final, admission.identityOf(keptAs)])] };
  const alike = refusal?.skip.reason === 'duplicate' ? refusal.other : undefined;
  const sameContent = facts.hasText ? (other?.url ?? alike) : undefined;
  return { refusal, keptAs, sameContent, forget: refusal ? () => undefined : recent.keep(keptPage) };
}

/** Whether a page has so much text that equal text says something. */
export function hasText({ textBytes }: Pick<PageLinks, 'textBytes'>): boolean {
  return textBytes >= TEXT_BYTES_MIN;
}

/** What is known about a page when it is judged. */
interface PageFacts {
  readonly own: string;
  readonly final: string;
  /** The leased address, or where it redirected to. */
  readonly answeredAt: string;
  readonly canonical: string | undefined;
  /** A kept page with the same content. */
  readonly other: KnownUrl | undefined;
  readonly hasText: boolean;
  readonly find: (identity: string) => KnownUrl | undefined;
}

function findRefusal<Result>(links: PageLinks, leased: LeasedUrl, facts: PageFacts, ports: JudgePorts<Result>): Refusal | undefined {
  const { twins } = ports;
  const { own, final, answeredAt, other, hasText, find } = facts;
  const keptFor = (identity: string) => {
    const known = find(identity);
    return known && isKept(known) && known.url !== leased.url ? known.url : undefined;
  };
  const answered = keptFor(own);
  if (answered !== undefined) return duplicateOf(answered, `answered for ${answered}`);
  if (final !== own && keptFor(final) !== undefined)
    return { skip: { reason: 'redirect', rule: `redirects to ${answeredAt}` }, aliasOf: undefined, other: answeredAt };
  const twin = leased.twin && leased.twin.url !== answeredAt ? leased.twin : undefined;
  const isTwin = twin !== undefined && isSameText(twin, links);
  if (twin) twins.observe(leased.url, twin.url, isTwin);
  if (other && isSamePage(hasText, answeredAt, other)) {
    if (facts.canonical === other.url) twins.observeCanonical(leased.url, other.url, true);
    const leadsElsewhere = !twin && dedupeKey(other.url) !== dedupeKey(answeredAt);
    return { ...duplicateOf(other.url, `same content as ${other.url}`), leadsElsewhere };
  }
  if (twin && isTwin && hasText) return duplicateOf(twin.url, `same content but for a line as ${twin.url}`);
  return facts.canonical === undefined ? undefined : judgeCanonical(facts.canonical, links, leased, facts, ports);
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

function judgeCanonical<Result>(
  canonical: string,
  links: PageLinks,
  leased: LeasedUrl,
  { answeredAt, find }: PageFacts,
  { admission, twins, waits }: JudgePorts<Result>,
): Refusal | undefined {
  const identity = admission.identityOf(canonical);
  const known = find(identity);
  // The pages of one list are as alike as they can be, and are pages all the same.
  const isTurn = leased.source === 'pagination' || isTurnOf(canonical, answeredAt);
  const text = isTurn ? { contentHash: links.contentHash, sketch: undefined } : links;
  if (known && isKept(known)) {
    // Where it shows something else, the link is wrong: every page of some lists names the first.
    const isSame = isSameText(known, text);
    twins.observeCanonical(leased.url, canonical, isSame);
    return isSame ? duplicateOf(known.url, `same content but for a line as ${known.url}`) : undefined;
  }
  if ((known && known.state !== 'pending') || isBelieved(canonical, leased, answeredAt, twins)) return undefined;
  waits.add(identity, { url: leased.url, ...text });
  return { skip: { reason: 'canonical', rule: canonical }, aliasOf: identity, other: canonical, sketch: text.sketch };
}

/** Where a page is kept. What the crawl gave up before is no place for it. */
function placeOf(
  leased: LeasedUrl,
  { own, final, answeredAt, canonical, find }: PageFacts,
  { twins, admission }: Pick<JudgePorts<never>, 'twins' | 'admission'>,
): string {
  if (own !== final) {
    const known = find(final);
    return known && known.state !== 'pending' ? leased.url : answeredAt;
  }
  if (canonical === undefined || !isBelieved(canonical, leased, answeredAt, twins)) return leased.url;
  const known = find(admission.identityOf(canonical));
  return known && known.state !== 'pending' ? leased.url : canonical;
}

/** Whether the page in hand may stand for its canonical address; its relative addresses must mean the same there. */
function isBelieved(canonical: string, leased: LeasedUrl, answeredAt: string, twins: TwinMemory): boolean {
  return answeredAt === leased.url && folderOf(canonical) === folderOf(answeredAt) && twins.believesCanonical(leased.url, canonical);
}

function folderOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function isTurnOf(list: string, url: string): boolean {
  const from = URL.parse(list);
  return from !== null && isPageTurn(from, url, false);
}

function isSamePage(hasText: boolean, answeredAt: string, same: KnownUrl): boolean {
  return dedupeKey(same.url) === dedupeKey(answeredAt) || (hasText && couldBeSamePlace(same.url, answeredAt));
}

function isKept(known: KnownUrl): boolean {
  return known.state === 'fetched' || known.state === 'reused';
}

function duplicateOf(other: string, rule: string): Refusal {
  return { skip: { reason: 'duplicate', rule }, aliasOf: undefined, other };
}
