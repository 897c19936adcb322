// Learns which words name what a digest names at other addresses of a host: `HEAD` and `refs/heads/main` beside the number of a commit.
import { BoundedMap } from '../bounded-map.ts';
import { fingerprint } from '../judge/fingerprint.ts';
import { isAlike } from '../judge/likeness.ts';
import { isContentName, textOfParts } from './address-parts.ts';
import type { AddressParts } from './address-parts.ts';

/** What a page shows, as far as it is compared. */
interface Shown {
  readonly contentHash: string;
  readonly sketch: string;
}

/** What pairs of addresses showed that differ in nothing but that a word stands where the other has a digest. */
interface Comparison {
  readonly same: Set<number>;
  different: number;
}

export type SavedNames = Readonly<Record<string, readonly [same: readonly number[], different: number]>>;

/** Addresses at which both showed the same, as many as for any conclusion about one place, see parameter-memory. */
const SAME_MIN = 3;
const PLACES_MAX = 10_000;
const VALUES_OF_PLACE_MAX = 8;
const PAIRS_MAX = 1_000;
/** Longer values are texts, not names. */
const WORD_CHARS_MAX = 80;
/** Stands where the value was. */
const HOLE = '\0';

/** Only digests are believed to be one thing wherever they stand; two words, or two numbers, can be the same at three addresses by chance. */
export class ValueNames {
  private readonly places = new BoundedMap<number, Map<string, Shown>>(PLACES_MAX);
  private readonly pairs = new BoundedMap<string, Comparison>(PAIRS_MAX);
  /** By host and word, what is believed. */
  private readonly digests = new Map<string, string>();
  private readonly onChange: () => void;

  /** `onChange` is called whenever a word becomes a name or is none any more. */
  constructor(saved: SavedNames, onChange: () => void) {
    for (const [key, [same, different]] of Object.entries(saved)) {
      const pair = { same: new Set(same), different };
      const [word = '', digest = ''] = key.split('\n');
      this.pairs.set(key, pair);
      if (isBelieved(pair)) this.digests.set(word, digest);
    }
    this.onChange = onChange;
  }

  /** Whether any word names a digest. */
  get isKnowing(): boolean {
    return this.digests.size > 0;
  }

  /** The parts with the digest for each word that names one. */
  resolve(parts: AddressParts): AddressParts {
    if (this.digests.size === 0) return parts;
    const values = new Map([...parts.values].map(([name, value]) => [name, this.digests.get(`${parts.host} ${value}`) ?? value]));
    return { ...parts, values };
  }

  /** Compares a page with those at addresses that have one other value in place of one of its own. */
  observe(parts: AddressParts, page: Shown): void {
    if (parts.values.size < 2) return;
    for (const value of new Set(parts.values.values())) {
      if (value === '' || value.length > WORD_CHARS_MAX) continue;
      const values = new Map([...parts.values].map(([name, own]) => [name, own === value ? HOLE : own]));
      const place = fingerprint(textOfParts({ ...parts, values }));
      const known = this.places.use(place, () => new Map());
      for (const [other, shown] of known) this.compare(parts.host, [value, page], [other, shown], place);
      if (known.size < VALUES_OF_PLACE_MAX) known.set(value, page);
    }
  }

  toJSON(): SavedNames {
    return Object.fromEntries([...this.pairs].map(([key, { same, different }]) => [key, [[...same], different] as const]));
  }

  private compare(host: string, one: readonly [string, Shown], other: readonly [string, Shown], place: number): void {
    const [[word, shown], [digest, shownByDigest]] = isContentName(one[0]) ? [other, one] : [one, other];
    if (word === digest || isContentName(word) || !isContentName(digest)) return;
    const isSame = shown.contentHash === shownByDigest.contentHash;
    if (!isSame && isAlike(shown.sketch, shownByDigest.sketch)) return;
    const pair = this.pairs.use(`${host} ${word}\n${digest}`, () => ({ same: new Set(), different: 0 }));
    const before = isBelieved(pair);
    if (!isSame) pair.different++;
    else if (pair.same.size < SAME_MIN) pair.same.add(place);
    if (before === isBelieved(pair)) return;
    if (before) this.digests.delete(`${host} ${word}`);
    else this.digests.set(`${host} ${word}`, digest);
    this.onChange();
  }
}

function isBelieved({ same, different }: Comparison): boolean {
  return different === 0 && same.size >= SAME_MIN;
}
