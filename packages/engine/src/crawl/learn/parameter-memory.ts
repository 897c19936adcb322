// Learns which parameters, and which of their values, make no difference to the page: `lang=en` behind every link, `h=HEAD` beside no `h`.
import { BoundedMap } from '../bounded-map.ts';
import { fingerprint } from '../judge/fingerprint.ts';
import { isAlike } from '../judge/likeness.ts';
import { isPageName } from '../links/paging-links.ts';
import { addressParts, isContentName, isWord, scopesOf, textOfParts } from './address-parts.ts';
import type { AddressParts, AddressScopes } from './address-parts.ts';
import { ValueNames } from './value-names.ts';
import type { SavedNames } from './value-names.ts';

/** A page that answered, as far as it is compared. */
export interface AnsweredPage {
  readonly url: string;
  readonly contentHash: string;
  readonly sketch: string;
  /** Whether it is a page of the crawl, not another address of one. */
  readonly isKept: boolean;
}

/** What pairs of pages showed that differ in one parameter alone, within one scope. */
interface Comparison {
  /** The addresses without the parameter at which pages were the same. */
  readonly same: Set<number>;
  /** Narrow scopes among them. */
  readonly parts: Set<number>;
  /** Values that were compared. */
  readonly values: Set<string>;
  /** Pages that were not the same. One ends the belief. */
  different: number;
}

export interface SavedParameters {
  readonly comparisons: Readonly<
    Record<string, readonly [same: readonly number[], parts: readonly number[], values: readonly string[], different: number]>
  >;
  readonly names: SavedNames;
}

/** Addresses at which a difference made none, as many as duplicates end a class of addresses of that width, see trap-memory. */
const SAME_MIN = 3;
const SAME_WIDE_MIN = 5;
/** A wider conclusion is drawn from several actions or folders, one about every value from several values. */
const PARTS_MIN = 3;
const VALUES_MIN = 3;
/** Values at one address, as many as addresses for the widest conclusion. */
const WORDS_MIN = 5;
const COUNTED_MAX = 8;
const PAGES_MAX = 10_000;
const COMPARISONS_MAX = 4_000;
const NAMES_MAX = 32;
/** Stands for the parameter that is not there. */
const ABSENT = '\0';
/** Ways to leave parameters out of an address that are looked at: two that make no difference beside each other can be left out in either order. */
const FORMS_MAX = 12;

/** A kept page, and what was left out of its address. */
interface KeptForm {
  readonly url: string;
  readonly leftOut: readonly string[];
}

/** An address without what makes no difference. */
interface Form {
  readonly rest: string;
  /** What was left out of it. */
  readonly leftOut: readonly string[];
}

/**
 * What is known of parameters, learnt from equal pages: those that differ refute, those that are alike prove nothing, but where another
 * parameter names the content by its digest.
 */
export class ParameterMemory {
  /** By scope and name, and by scope, name and value. */
  private readonly comparisons = new BoundedMap<string, Comparison>(COMPARISONS_MAX, [], (key, comparison) =>
    this.noteBelief(isBelieved(comparison, key), false),
  );
  /** Pages by their whole address; kept ones by address and without one parameter. */
  private readonly pages = new BoundedMap<number, AnsweredPage>(PAGES_MAX);
  private readonly siblings = new BoundedMap<number, AnsweredPage>(PAGES_MAX);
  /** Names that were seen at a scope, to find what was kept with one of them before the plain address came. */
  private readonly names = new Map<string, Set<string>>();
  private readonly valueNames: ValueNames;
  /** Kept pages by what is left of their address; made anew when a belief comes or goes. */
  private reduced: Map<string, KeptForm> | undefined;
  private beliefs = 0;

  constructor(saved: SavedParameters = { comparisons: {}, names: {} }) {
    this.valueNames = new ValueNames(saved.names, () => (this.reduced = undefined));
    for (const [key, [same, parts, values, different]] of Object.entries(saved.comparisons)) {
      this.comparisons.set(key, { same: new Set(same), parts: new Set(parts), values: new Set(values), different });
      if (isBelieved(this.comparisons.get(key), key)) this.beliefs++;
    }
  }

  /** Why `url` need not be asked for, in words: it is a kept page but for parameters that made no difference; undefined when nothing is known. */
  find(url: string): string | undefined {
    if (this.beliefs === 0 && !this.valueNames.isKnowing) return undefined;
    const parts = addressParts(url);
    const kept = this.keptPages();
    for (const { rest, leftOut } of parts ? this.formsOf(parts) : []) {
      const other = kept.get(rest);
      if (other === undefined || other.url === url) continue;
      const named = leftOut.length > 0 ? leftOut : other.leftOut;
      if (named.length > 0) return `${other.url} but for ${named.join(', ')}, which made no difference where pages were compared`;
    }
    return undefined;
  }

  /** The parameters of `url` that made no difference so far, or that are all that tells it from a kept page and were never compared. */
  findDoubts(url: string): readonly string[] {
    const parts = url.includes('?') ? addressParts(url) : undefined;
    if (!parts) return [];
    return [...parts.values.keys()].flatMap((name) => {
      if (isPageName(name)) return [];
      const { narrow } = scopesOf(parts, name);
      const open = [narrow].map((scope) => keyOf(scope, name)).filter((key) => this.isOpen(key));
      const isFirst = !this.comparisons.has(keyOf(narrow, name)) && this.pages.has(fingerprint(textOfParts(parts, name)));
      return isFirst ? [keyOf(narrow, name), ...open] : open;
    });
  }

  /** Whether pages that differ in a parameter were the same so far, too few of them to believe it. */
  private isOpen(key: string): boolean {
    const comparison = this.comparisons.get(key);
    return comparison !== undefined && comparison.different === 0 && comparison.values.size < COUNTED_MAX && !isBelieved(comparison, key);
  }

  /** Notes a page, and compares it with those whose addresses differ from its own in one parameter. */
  observe(page: AnsweredPage): void {
    const written = addressParts(page.url);
    if (!written) return;
    this.valueNames.observe(written, page);
    const parsed = this.valueNames.resolve(written);
    const whole = fingerprint(textOfParts(parsed));
    for (const name of parsed.values.keys()) {
      const rest = fingerprint(textOfParts(parsed, name));
      const scopes = scopesOf(parsed, name);
      this.noteName(scopes.narrow, name);
      this.compare(page, this.pages.get(rest), name, rest, scopes);
      const key = siblingKey(rest, name);
      const sibling = this.siblings.get(key);
      if (sibling) this.compare(page, sibling, name, rest, scopes);
      else this.siblings.set(key, page);
    }
    // What came before with one parameter more.
    for (const name of this.names.get(scopesOf(parsed, '').narrow) ?? []) {
      const sibling = parsed.values.has(name) ? undefined : this.siblings.get(siblingKey(whole, name));
      if (sibling) this.compare(sibling, page, name, whole, scopesOf(parsed, name));
    }
    if (!page.isKept || this.pages.has(whole)) return;
    this.pages.set(whole, page);
    if (this.reduced) this.addReduced(page.url, this.reduced);
  }

  toJSON(): SavedParameters {
    const comparisons = [...this.comparisons].map(([key, { same, parts, values, different }]) => [
      key,
      [[...same], [...parts], [...values], different] as const,
    ]);
    return { comparisons: Object.fromEntries(comparisons), names: this.valueNames.toJSON() };
  }

  private noteName(scope: string, name: string): void {
    const names = this.names.get(scope) ?? new Set();
    if (names.size < NAMES_MAX && this.names.size < COMPARISONS_MAX) this.names.set(scope, names.add(name));
  }

  private compare(page: AnsweredPage, other: AnsweredPage | undefined, name: string, rest: number, scopes: AddressScopes): void {
    if (!other) return;
    const parts = this.partsOf(page.url);
    const pair = [parts?.values.get(name) ?? ABSENT, this.partsOf(other.url)?.values.get(name) ?? ABSENT];
    if (pair[0] === pair[1]) return;
    const isEqual = page.contentHash === other.contentHash;
    const isSame = isEqual || (isAlike(page.sketch, other.sketch) && parts !== undefined && namesContent(parts, name));
    if (!isSame && isAlike(page.sketch, other.sketch)) return;
    const values = pair.filter((value) => value !== ABSENT).toSorted();
    const isDefault = values.length === 1;
    // More words at one address: `?tab=wiki` after `?tab=news` and others. Numbers are things, of which some are gone.
    if (!isPageName(name) && (!isSame || values.every(isWord))) this.count(keyOf(`=${rest}`, name), isSame, { rest, part: rest, values });
    const part = fingerprint(scopes.narrow);
    for (const scope of [scopes.narrow, scopes.wide]) {
      const keys = [...(isPageName(name) ? [] : [keyOf(scope, name)]), ...(isDefault ? [keyOf(scope, name, values[0])] : [])];
      for (const key of keys) this.count(key, isSame, { rest, part, values });
    }
  }

  /** The parts of an address, with a digest for each name of it. */
  private partsOf(url: string): AddressParts | undefined {
    const parts = addressParts(url);
    return parts && this.valueNames.resolve(parts);
  }

  private count(key: string, isSame: boolean, { rest, part, values }: { rest: number; part: number; values: readonly string[] }): void {
    const comparison = this.comparisons.use(key, () => ({ same: new Set(), parts: new Set(), values: new Set(), different: 0 }));
    const before = isBelieved(comparison, key);
    if (isSame) {
      add(comparison.same, rest);
      add(comparison.parts, part);
      for (const value of values) add(comparison.values, value);
    } else comparison.different++;
    this.noteBelief(before, isBelieved(comparison, key));
  }

  private noteBelief(before: boolean, after: boolean): void {
    if (before === after) return;
    this.beliefs += after ? 1 : -1;
    this.reduced = undefined;
  }

  private keptPages(): ReadonlyMap<string, KeptForm> {
    if (this.reduced) return this.reduced;
    const reduced = new Map<string, KeptForm>();
    for (const { url } of this.pages.values()) this.addReduced(url, reduced);
    this.reduced = reduced;
    return reduced;
  }

  private addReduced(url: string, reduced: Map<string, KeptForm>): void {
    const parts = addressParts(url);
    for (const { rest, leftOut } of parts ? this.formsOf(parts) : []) if (!reduced.has(rest)) reduced.set(rest, { url, leftOut });
  }

  /**
   * The shortest forms of an address: with a digest for each name of it, and without what makes no difference beside what is left. What
   * makes a difference once another parameter is gone (`h` beside no `hb`) is left in.
   */
  private formsOf(parts: AddressParts): readonly Form[] {
    const resolved = this.valueNames.resolve(parts);
    const named = [...parts.values]
      .filter(([name, value]) => resolved.values.get(name) !== value)
      .map(([name, value]) => `?${name}=${value}`);
    const forms = new Map<string, Form>();
    const seen = new Set<string>();
    const shorten = (left: AddressParts, leftOut: readonly string[]) => {
      const rest = textOfParts(left);
      if (seen.has(rest) || seen.size >= FORMS_MAX) return;
      seen.add(rest);
      const idle = [...left.values].filter(([name, value]) => this.isIdle(left, name, value));
      if (idle.length === 0) forms.set(rest, { rest, leftOut });
      for (const [name, value] of idle) {
        const values = new Map(left.values);
        values.delete(name);
        shorten({ ...left, values }, [...leftOut, `?${name}=${value}`]);
      }
    };
    shorten(resolved, named);
    return [...forms.values()];
  }

  /** Whether a parameter, or this value of it, made no difference beside the others. */
  private isIdle(parts: AddressParts, name: string, value: string): boolean {
    if (isTurn(name, value)) return false;
    const { narrow, wide } = scopesOf(parts, name);
    const scopes = [narrow, wide];
    if (scopes.some((scope) => this.believes(keyOf(scope, name)) || this.believes(keyOf(scope, name, value)))) return true;
    return isWord(value) && this.believes(keyOf(`=${fingerprint(textOfParts(parts, name))}`, name));
  }

  private believes(key: string): boolean {
    return isBelieved(this.comparisons.get(key), key);
  }
}

/** Whether another parameter than `name` names the content of the page by its digest. */
function namesContent({ values }: AddressParts, name: string): boolean {
  return [...values].some(([other, value]) => other !== name && isContentName(value));
}

/** Whether a comparison says enough: of every value of a parameter only where several were compared. */
function isBelieved(comparison: Comparison | undefined, key: string): boolean {
  if (!comparison || comparison.different > 0) return false;
  if (key.startsWith('=')) return comparison.values.size >= WORDS_MIN;
  const isWide = key.includes('**');
  const isOneValue = key.includes('\n');
  if (isWide && comparison.parts.size < PARTS_MIN) return false;
  return comparison.same.size >= (isWide ? SAME_WIDE_MIN : SAME_MIN) && (isOneValue || comparison.values.size >= VALUES_MIN);
}

/** What is said of a parameter with any value, or of one value beside no parameter at all. */
function keyOf(scope: string, name: string, value?: string): string {
  return value === undefined ? `${scope} ${name}` : `${scope} ${name}\n${value}`;
}

/** A further page of a list is one, though lists that are shorter show their first instead. */
function isTurn(name: string, value: string): boolean {
  return isPageName(name) && !/^[01]?$/.test(value);
}

function siblingKey(rest: number, name: string): number {
  return fingerprint(`${rest} ${name}`);
}

function add<Item>(set: Set<Item>, item: Item): void {
  if (set.size < COUNTED_MAX) set.add(item);
}
