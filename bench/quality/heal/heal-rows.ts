// One watched element as numbers: what its candidates look like on the page after, so that judges are fitted and measured without reading pages again.
import type { Element } from 'domhandler';
import { valueOf } from '../../../packages/engine/src/html/selectors/resolve.ts';
import { recordBaseline } from '../../../packages/engine/src/monitor/target/baseline.ts';
import type { TargetBaseline } from '../../../packages/engine/src/monitor/target/baseline.ts';
import { NO_VOTES, compareAll, comparePlace, readVotes, saidBy } from '../../../packages/engine/src/monitor/target/candidates.ts';
import type { Compared } from '../../../packages/engine/src/monitor/target/candidates.ts';
import { likelyCopiesOf } from '../../../packages/engine/src/monitor/target/copies.ts';
import { PROPERTIES } from '../../../packages/engine/src/monitor/target/likeness.ts';
import type { Likeness } from '../../../packages/engine/src/monitor/target/likeness.ts';
import { readPageIndex } from '../../../packages/engine/src/monitor/target/page-index.ts';
import type { Place } from '../../../packages/engine/src/monitor/target/page-index.ts';
import { judgeFor, oddsOf } from '../../../packages/engine/src/monitor/target/score.ts';
import type { PageDocument } from '../../../packages/engine/src/page/page-document.ts';
import type { Fate, PagePair, Watched } from './heal-cases.ts';

/** A candidate: its properties in the order of PROPERTIES, which group of equal words, or of copies, it is of, whether it is the watched element, whether it is as good. */
export interface HealRow {
  readonly values: Float32Array;
  /** How like it is to each of those that stood beside the watched element. */
  readonly rivals: readonly Float32Array[];
  readonly group: number;
  readonly isTarget: boolean;
  readonly isAsGood: boolean;
}

/** One watched element under one judge. */
export interface HealExample {
  readonly site: string;
  readonly change: string;
  readonly fate: Fate;
  readonly isSteady: boolean;
  /** The likest ones by a first guess, the watched one and what says the same always among them. */
  readonly rows: readonly HealRow[];
  /** The group of the watched element; undefined where it was removed. */
  readonly target: number | undefined;
}

/** Candidates that are kept of a page: those that any judge could put first. */
const ROWS_MAX = 30;
/** Those are chosen among so many that are likest at first sight. */
const BEGUN_MAX = 150;

/** The baseline of a watched element; its selector finds nothing any more. */
export function baselineOf(page: PageDocument, element: Element): TargetBaseline {
  const value = { raw: valueOf(element) };
  return recordBaseline(page, {
    selector: 'css/heal-none',
    elements: [element],
    count: 1,
    value,
    recordedAt: '2026-01-01T00:00:00Z',
    status: 200,
  });
}

/** The examples of a pair: of kept values as steady and as changing ones, of changed values as changing ones, of removed elements as both. */
export function examplesOf(pair: PagePair): readonly HealExample[] {
  return pair.watched.flatMap((watched) => {
    const baseline = baselineOf(pair.before, watched.before);
    return [true, false]
      .filter((isSteady) => !(isSteady && pair.fate === 'changed'))
      .flatMap((isSteady) => exampleOf(pair, watched, baseline, isSteady) ?? []);
  });
}

function exampleOf(pair: PagePair, watched: Watched, baseline: TargetBaseline, isSteady: boolean): HealExample | undefined {
  const index = readPageIndex(pair.after.tree);
  if (!baseline.print) return undefined;
  const judge = judgeFor(isSteady);
  const votes = readVotes(baseline.alternates, baseline.value.raw, isSteady, index);
  const { print } = baseline;
  const begun = compareAll(print, votes, judge, index);
  const place = watched.after && index.placeOf.get(watched.after);
  if (watched.after && !place) return undefined;
  const key = place && saidBy(place);
  const near = [...begun.slice(0, BEGUN_MAX), ...begun.slice(BEGUN_MAX).filter((one) => saidBy(one.place) === key)];
  const all = near.map((one): Compared => ({ place: one.place, likeness: comparePlace(print, one.place, votes, index) }));
  const likest = all.toSorted((a, b) => oddsOf(b.likeness, judge) - oddsOf(a.likeness, judge)).slice(0, ROWS_MAX);
  const kept = new Set([...likest, ...all.filter((one) => saidBy(one.place) === key)]);
  const groups = new Map<unknown, number>();
  const { copies = [] } = baseline;
  const copiesNow = (place: Place) => {
    const likely = copies.length === 0 ? [] : likelyCopiesOf(place, index);
    return likely.length === copies.length ? likely : undefined;
  };
  const good = new Set(watched.copies.flatMap((element) => index.placeOf.get(element) ?? []).map(saidBy));
  const groupOf = (place: Place) => {
    const [said] = [place, ...(copiesNow(place) ?? [])].toSorted((a, b) => a.first - b.first).map(saidBy);
    if (!groups.has(said)) groups.set(said, groups.size);
    return groups.get(said) as number;
  };
  const rows = [...kept].map((one) => ({
    values: numbersOf(one.likeness),
    rivals: [...(copiesNow(one.place) ? [] : copies), ...baseline.rivals].map((rival) =>
      numbersOf(comparePlace(rival, one.place, NO_VOTES, index)),
    ),
    group: groupOf(one.place),
    isTarget: one.place.element === watched.after,
    isAsGood: saidBy(one.place) === key || good.has(saidBy(one.place)),
  }));
  // One that is too long by now to be a candidate can't be found: its group is no row's.
  const target = place ? groupOf(place) : undefined;
  return { site: pair.site, change: pair.change, fate: pair.fate, isSteady, rows, target };
}

function numbersOf(likeness: Likeness): Float32Array {
  return Float32Array.from(PROPERTIES, (property) => likeness[property]);
}
