// How often a watched element is found again on pages whose sites the judges were not fitted to, and how often something else is taken for it.
import type { Element } from 'domhandler';
import { cssPathOf, readUniqueIds } from '../../../packages/engine/src/html/selectors/css-path.ts';
import { valueOf } from '../../../packages/engine/src/html/selectors/resolve.ts';
import { elementsBelow } from '../../../packages/engine/src/html/walk.ts';
import { recordBaseline } from '../../../packages/engine/src/monitor/target/baseline.ts';
import { saidBy } from '../../../packages/engine/src/monitor/target/candidates.ts';
import { locate } from '../../../packages/engine/src/monitor/target/locate.ts';
import type { Located } from '../../../packages/engine/src/monitor/target/locate.ts';
import { readPageIndex } from '../../../packages/engine/src/monitor/target/page-index.ts';
import type { PageDocument } from '../../../packages/engine/src/page/page-document.ts';
import type { Fate, PagePair, Watched } from './heal-cases.ts';
import { baselineOf } from './heal-rows.ts';
import { rivalFind, rivalPrint } from './rival.ts';

/** What became of one watched element. */
export interface Healed {
  readonly site: string;
  readonly change: string;
  readonly fate: Fate;
  readonly isSteady: boolean;
  readonly ours: Located;
  readonly isOursRight: boolean;
  /** Right, though it is a copy of what is watched. */
  readonly isOursCopy: boolean;
  /** Undefined where rivals are left out. */
  readonly rival: 'right' | 'wrong' | 'none' | undefined;
  /** Of our search, in CPU milliseconds, the reading of the page left out. */
  readonly cpuMs: number;
}

/** What became of a selector that names the element by its place, which often still finds something. */
export interface Placed {
  readonly change: string;
  readonly fate: Fate;
  readonly ours: Located;
  readonly isOursRight: boolean;
  /** Whether what the selector finds by itself is the watched element, something else, or not one element. */
  readonly bare: 'right' | 'wrong' | 'none';
}

/** Each watched element of a pair, its selector lost: kept values as steady and as changing ones, removed elements as both. */
export function healPair(pair: PagePair, hasRivals: boolean): readonly Healed[] {
  return pair.watched.flatMap((watched) => {
    const baseline = baselineOf(pair.before, watched.before);
    return [true, false]
      .filter((isSteady) => !(isSteady && pair.fate === 'changed'))
      .map((isSteady) => {
        readPageIndex(pair.after.tree);
        const start = process.cpuUsage();
        const ours = locate(pair.after, baseline.selector, baseline, { isSteady });
        const { user, system } = process.cpuUsage(start);
        const found = hasRivals ? rivalFind(rivalPrint(watched.before), pair.after.tree, isSteady) : undefined;
        const rival = found ? (isAsGood(found, watched, pair.after) ? 'right' : 'wrong') : 'none';
        const { site, change, fate } = pair;
        const isOursRight = isFoundAs(ours, watched, pair.after);
        const isOursCopy = isOursRight && !isFoundAs(ours, { ...watched, copies: [] }, pair.after);
        return {
          site,
          change,
          fate,
          isSteady,
          ours,
          isOursRight,
          isOursCopy,
          rival: hasRivals ? rival : undefined,
          cpuMs: (user + system) / 1000,
        };
      });
  });
}

/** Each watched element of a pair by the CSS that names its place on the page before. */
export function placePair(pair: PagePair): readonly Placed[] {
  const ids = readUniqueIds(elementsBelow(pair.before.tree.root));
  return pair.watched.map((watched) => {
    const selector = cssPathOf(watched.before, ids);
    const value = { raw: valueOf(watched.before) };
    const facts = { selector, elements: [watched.before], count: 1, value, recordedAt: '2026-01-01T00:00:00Z', status: 200 };
    const baseline = recordBaseline(pair.before, facts);
    const plain = locate(pair.after, selector, undefined);
    const only = plain.count === 1 ? plain.matches[0]?.node : undefined;
    const bare = only === undefined ? 'none' : isAsGood(only as Element, watched, pair.after) ? 'right' : 'wrong';
    const ours = locate(pair.after, selector, baseline, { isSteady: pair.fate === 'kept' });
    return { change: pair.change, fate: pair.fate, ours, isOursRight: isFoundAs(ours, watched, pair.after), bare };
  });
}

function isFoundAs({ verdict, matches }: Located, watched: Watched, page: PageDocument): boolean {
  const node = matches[0]?.node;
  return verdict === 'found' && node !== undefined && isAsGood(node as Element, watched, page);
}

function isAsGood(found: Element, { after, copies }: Watched, page: PageDocument): boolean {
  return [after, ...copies].some((wanted) => isSame(found, wanted, page));
}

/** An element that holds nothing but the other says the same, and is as good. */
function isSame(found: Element, wanted: Element | undefined, page: PageDocument): boolean {
  const { placeOf } = readPageIndex(page.tree);
  const [a, b] = [placeOf.get(found), wanted && placeOf.get(wanted)];
  return a !== undefined && b !== undefined && saidBy(a) === saidBy(b);
}
