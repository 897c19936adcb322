// Learns, host by host, which differences between addresses make no difference to the page.
import type { TwinKind } from '../../url/dedupe-key.ts';
import { twinKinds } from '../../url/dedupe-key.ts';

/** What was seen of one kind on one host. */
interface TwinRecord {
  confirmed: number;
  refuted: number;
}

/** Pairs whose content was compared before a kind is believed; one refutation ends the belief. */
const CONFIRMATIONS: Readonly<Record<TwinKind | 'canonical' | 'distrust', number>> = {
  scheme: 2,
  www: 2,
  session: 2,
  index: 3,
  slash: 3,
  escapes: 2,
  repeated: 2,
  tracking: 2,
  empty: 3,
  values: 3,
  order: 3,
  canonical: 2,
  distrust: 3,
};

/** Twins that were compared so far. Every pair is fetched until its kinds are believed on its host; then the later one is not. */
export class TwinMemory {
  private readonly records: Map<string, TwinRecord>;

  constructor(saved: Readonly<Record<string, TwinRecord>> = {}) {
    this.records = new Map(Object.entries(saved));
  }

  /** Why `url` need not be fetched beside its fetched twin, or undefined when it must be compared first. */
  findReason(url: string, twin: string): string | undefined {
    const kinds = twinKinds(url, twin);
    const host = hostOf(url);
    if (!kinds.every((kind) => this.isBelieved(host, kind))) return undefined;
    return kinds.length === 0 ? `same address as ${twin}` : `twin of ${twin}: ${kinds.join(', ')} made no difference on this host`;
  }

  /** The differences between two addresses, as long as pairs of the host have shown neither that they count nor that they don't. */
  findDoubt(url: string, twin: string): string | undefined {
    const host = hostOf(url);
    const kinds = twinKinds(url, twin).filter((kind) => !this.isBelieved(host, kind));
    const isRefuted = kinds.some((kind) => (this.records.get(`${host} ${kind}`)?.refuted ?? 0) > 0);
    return kinds.length === 0 || isRefuted ? undefined : `${host} ${kinds.join()}`;
  }

  /** Notes whether two addresses of one key had the same content. */
  observe(url: string, twin: string, isSame: boolean): void {
    const kinds = twinKinds(url, twin);
    for (const kind of kinds) this.count(hostOf(url), kind, isSame);
  }

  /** Notes whether a page and its canonical address had the same content. */
  observeCanonical(url: string, canonical: string, isSame: boolean): void {
    this.count(hostOf(url), 'canonical', isSame);
    this.count(hostOf(url), canonicalKind(url, canonical), isSame);
  }

  /** Whether the host's canonical links have only ever named other pages. */
  distrustsCanonical(url: string): boolean {
    const record = this.records.get(`${hostOf(url)} canonical`);
    return record !== undefined && record.confirmed === 0 && record.refuted >= CONFIRMATIONS.distrust;
  }

  /** Whether pages of the host that differ from their canonical address in the same way as `url` were always that page. */
  believesCanonical(url: string, canonical: string): boolean {
    const record = this.records.get(`${hostOf(url)} ${canonicalKind(url, canonical)}`);
    return record !== undefined && record.refuted === 0 && record.confirmed >= CONFIRMATIONS.canonical;
  }

  toJSON(): Readonly<Record<string, TwinRecord>> {
    return Object.fromEntries(this.records);
  }

  private isBelieved(host: string, kind: TwinKind): boolean {
    const record = this.records.get(`${host} ${kind}`);
    return record !== undefined && record.refuted === 0 && record.confirmed >= CONFIRMATIONS[kind];
  }

  private count(host: string, kind: string, isSame: boolean): void {
    const key = `${host} ${kind}`;
    const record = this.records.get(key) ?? { confirmed: 0, refuted: 0 };
    if (isSame) record.confirmed++;
    else record.refuted++;
    this.records.set(key, record);
  }
}

/** The name without `www.`: what is learnt holds for both. */
function hostOf(url: string): string {
  return (URL.parse(url)?.host ?? '').replace(/^www\d?\./, '');
}

/** In what an address differs from its canonical one: the parameters that only one of them has, or the path. */
function canonicalKind(url: string, canonical: string): string {
  const one = URL.parse(url);
  const other = URL.parse(canonical);
  if (!one || !other || one.pathname !== other.pathname) return 'canonical path';
  const names = new Set([...one.searchParams.keys()].filter((name) => one.searchParams.get(name) !== other.searchParams.get(name)));
  return `canonical ?${[...names].toSorted().join('&')}`;
}
