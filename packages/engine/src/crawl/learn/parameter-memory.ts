// Learns which parameters, and which of their values, make no difference to the page: `lang=en` behind every link, `h=HEAD` beside no `h`.
import { decodeLoosely } from '../../url/decode-loosely.ts';
import { queryPairs } from '../../url/query-pairs.ts';
import { couldBeAction } from '../../url/trap-class.ts';
import { BoundedMap } from '../bounded-map.ts';
import { fingerprint } from '../judge/fingerprint.ts';
import { isAlike } from '../judge/likeness.ts';
import { isPageName } from '../links/paging-links.ts';

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

/** An address in parts that can be compared. */
interface Parsed {
  readonly host: string;
  readonly path: string;
  /** Values by name, decoded; a name that is said twice has both. */
  readonly values: ReadonlyMap<string, string>;
  /** Names with their value where that could be an action. */
  readonly shape: ReadonlyMap<string, string>;
}

/** Where a comparison counts: beside the same action or in the same folder, and at the whole script or host. */
interface Scopes {
  readonly narrow: string;
  readonly wide: string;
}

export type SavedParameters = Readonly<
  Record<string, readonly [same: readonly number[], parts: readonly number[], values: readonly string[], different: number]>
>;

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

/** What is known of parameters, learnt from equal pages alone: those that are alike prove nothing, those that differ refute. */
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
  /** Kept pages by what is left of their address; made anew when a belief comes or goes. */
  private reduced: Map<string, string> | undefined;
  private beliefs = 0;

  constructor(saved: SavedParameters = {}) {
    for (const [key, [same, parts, values, different]] of Object.entries(saved)) {
      this.comparisons.set(key, { same: new Set(same), parts: new Set(parts), values: new Set(values), different });
      if (isBelieved(this.comparisons.get(key), key)) this.beliefs++;
    }
  }

  /** Why `url` need not be asked for, in words: it is a kept page but for parameters that made no difference; undefined when nothing is known. */
  find(url: string): string | undefined {
    if (this.beliefs === 0 || !url.includes('?')) return undefined;
    const parsed = parse(url);
    if (!parsed) return undefined;
    const { rest, leftOut } = this.reduce(parsed);
    const other = this.keptPages().get(rest);
    if (other === undefined || other === url) return undefined;
    const named = leftOut.length > 0 ? leftOut : (this.reduceUrl(other)?.leftOut ?? []);
    return named.length > 0 ? `${other} but for ${named.join(', ')}, which made no difference where pages were compared` : undefined;
  }

  /** The parameters of `url` that made no difference so far, or that are all that tells it from a kept page and were never compared. */
  findDoubts(url: string): readonly string[] {
    const parsed = url.includes('?') ? parse(url) : undefined;
    if (!parsed) return [];
    return [...parsed.values.keys()].flatMap((name) => {
      const key = keyOf(scopesOf(parsed, name).narrow, name);
      if (isPageName(name)) return [];
      const comparison = this.comparisons.get(key);
      const isOpen = comparison
        ? comparison.different === 0 && comparison.values.size < COUNTED_MAX && !isBelieved(comparison, key)
        : this.pages.has(fingerprint(textOf(parsed, name)));
      return isOpen ? [key] : [];
    });
  }

  /** Notes a page, and compares it with those whose addresses differ from its own in one parameter. */
  observe(page: AnsweredPage): void {
    const parsed = parse(page.url);
    if (!parsed) return;
    const whole = fingerprint(textOf(parsed));
    for (const name of parsed.values.keys()) {
      const rest = fingerprint(textOf(parsed, name));
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
    return Object.fromEntries(
      [...this.comparisons].map(([key, { same, parts, values, different }]) => [
        key,
        [[...same], [...parts], [...values], different] as const,
      ]),
    );
  }

  private noteName(scope: string, name: string): void {
    const names = this.names.get(scope) ?? new Set();
    if (names.size < NAMES_MAX && this.names.size < COMPARISONS_MAX) this.names.set(scope, names.add(name));
  }

  private compare(page: AnsweredPage, other: AnsweredPage | undefined, name: string, rest: number, { narrow, wide }: Scopes): void {
    if (!other) return;
    const pair = [valueOf(page.url, name), valueOf(other.url, name)].toSorted();
    if (pair[0] === pair[1]) return;
    const isSame = page.contentHash === other.contentHash;
    if (!isSame && isAlike(page.sketch, other.sketch)) return;
    const values = pair.filter((value) => value !== ABSENT);
    const isDefault = values.length === 1;
    // More words at one address, beside none: `?tab=wiki` after `?tab=news` and others. Numbers are things, of which some are gone.
    if (isDefault && !isPageName(name) && (!isSame || isWord(values[0] ?? '')))
      this.count(keyOf(`=${rest}`, name), isSame, { rest, part: rest, values });
    for (const scope of [narrow, wide]) {
      const keys = [...(isPageName(name) ? [] : [keyOf(scope, name)]), ...(isDefault ? [keyOf(scope, name, values[0])] : [])];
      for (const key of keys) this.count(key, isSame, { rest, part: fingerprint(narrow), values });
    }
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

  private keptPages(): ReadonlyMap<string, string> {
    if (this.reduced) return this.reduced;
    const reduced = new Map<string, string>();
    for (const { url } of this.pages.values()) this.addReduced(url, reduced);
    this.reduced = reduced;
    return reduced;
  }

  private addReduced(url: string, reduced: Map<string, string>): void {
    const rest = this.reduceUrl(url)?.rest;
    if (rest !== undefined && !reduced.has(rest)) reduced.set(rest, url);
  }

  private reduceUrl(url: string): { readonly rest: string; readonly leftOut: readonly string[] } | undefined {
    const parsed = parse(url);
    return parsed && this.reduce(parsed);
  }

  /** The address in one form for all that show its page: without what makes no difference, and with one value for equal ones. */
  private reduce(parsed: Parsed): { readonly rest: string; readonly leftOut: readonly string[] } {
    const values = new Map(parsed.values);
    const leftOut: string[] = [];
    for (const [name, value] of parsed.values) {
      const { narrow, wide } = scopesOf(parsed, name);
      const own = `=${fingerprint(textOf(parsed, name))}`;
      const isNoise = [narrow, wide, ...(isWord(value) ? [own] : [])].some((scope) => this.believes(keyOf(scope, name)));
      const isDefault = () => [narrow, wide].some((scope) => this.believes(keyOf(scope, name, value)));
      if (isTurn(name, value) || (!isNoise && !isDefault())) continue;
      values.delete(name);
      leftOut.push(`?${name}=${value}`);
    }
    return { rest: textOf({ ...parsed, values }), leftOut };
  }

  private believes(key: string): boolean {
    return isBelieved(this.comparisons.get(key), key);
  }
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

function isWord(value: string): boolean {
  return couldBeAction({ name: '', value, text: value });
}

/** A further page of a list is one, though lists that are shorter show their first instead. */
function isTurn(name: string, value: string): boolean {
  return isPageName(name) && !/^[01]?$/.test(value);
}

function siblingKey(rest: number, name: string): number {
  return fingerprint(`${rest} ${name}`);
}

function scopesOf({ host, path, shape }: Parsed, except: string): Scopes {
  const names = [...shape].filter(([name]) => name !== except);
  if (names.length === 0) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1).replace(/[^/]*\d[^/]*/g, '*');
    return { narrow: `${host}${folder}`, wide: `${host}/**` };
  }
  const beside = names.map(([, text]) => text).toSorted();
  return { narrow: `${host}${path}?${beside.join('&')}`, wide: `${host}${path}?**` };
}

function parse(url: string): Parsed | undefined {
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const values = new Map<string, string>();
  const shape = new Map<string, string>();
  for (const pair of queryPairs(parsed)) {
    const value = decodeLoosely(pair.value.replaceAll('+', ' '));
    const known = values.get(pair.name);
    values.set(pair.name, known === undefined || known === value ? value : `${known}\t${value}`);
    shape.set(pair.name, couldBeAction(pair) ? `${pair.name}=${value}` : pair.name);
  }
  return { host: parsed.host, path: parsed.pathname, values, shape };
}

/** Host, path and parameters in one order, `except` one. */
function textOf({ host, path, values }: Pick<Parsed, 'host' | 'path' | 'values'>, except?: string): string {
  const pairs = [...values].filter(([name]) => name !== except).map(([name, value]) => `${name}=${value}`);
  return `${host}${path}?${pairs.toSorted().join('&')}`;
}

function valueOf(url: string, name: string): string {
  return parse(url)?.values.get(name) ?? ABSENT;
}

function add<Item>(set: Set<Item>, item: Item): void {
  if (set.size < COUNTED_MAX) set.add(item);
}
