// Fits a judge: the weights of properties by logistic regression, the trust in the best candidate by a second one, its gates to what may be wrong at most.
import type { Judge } from '../../../packages/engine/src/monitor/target/judge.ts';
import { OWN_PROPERTIES, PROPERTIES } from '../../../packages/engine/src/monitor/target/likeness.ts';
import type { Likeness, Property } from '../../../packages/engine/src/monitor/target/likeness.ts';
import { GAP_MIN, barsOf, bounded, shareOfOdds, trustIn } from '../../../packages/engine/src/monitor/target/score.ts';
import type { Standing } from '../../../packages/engine/src/monitor/target/score.ts';
import type { HealExample, HealRow } from './heal-rows.ts';
import { fitLogistic } from './logistic.ts';
import type { Sample } from './logistic.ts';

/** Repairs of removed elements, and of wrong ones, that the gates may let through among the examples they are fitted to: half of what we aim for. */
const FALSE_MAX = 0.005;
/** Candidates of an example that the weights are fitted to, the hardest ones; together they count as much as the watched one. */
const HARD_ROWS = 12;
/** Log odds. */
const MARGINS = [0, 0.5, 1, 1.5, 2, 3];

/** A judge fitted to `examples`: which are all steady, or all changing where the judge of the steady ones is given. */
export function fitJudge(examples: readonly HealExample[], steady?: Judge): Judge {
  const isSteady = steady === undefined;
  const isUsed = PROPERTIES.map((property) => isSteady || !OWN_PROPERTIES.includes(property));
  let weights: readonly number[] = [...isUsed.map((used) => (used ? 0.5 : 0)), 0];
  // The second time on what the first weights find hard.
  for (let turn = 0; turn < 2; turn++) weights = fitLogistic(samplesOf(examples, weights), { isUsed, isNonNegative: true });
  const table = Object.fromEntries(PROPERTIES.map((property, i) => [property, round(weights[i] as number)])) as Record<Property, number>;
  const untrusted = {
    weights: table,
    base: round(weights.at(-1) as number),
    trust: { base: 0, odds: 1, gap: 0, margin: 0 },
    trustMin: 0,
    marginMin: 0,
    nearMin: 0,
  };
  return withGates(withTrust(untrusted, examples, steady), examples, steady);
}

/** How one example ends under a judge. */
export interface Ending {
  readonly example: HealExample;
  readonly standing: Standing | undefined;
  readonly trust: number;
  /** Gates that don't hang on the trust. */
  readonly isBarred: boolean;
  readonly isRight: boolean;
}

/** The best candidate of each example; `steady` is the judge that rivals are also known by. */
export function judgeExamples(examples: readonly HealExample[], judge: Judge, steady = judge): readonly Ending[] {
  const ofRivals = weightsOf(steady);
  const weights = weightsOf(judge);
  return examples.map((example) => {
    const groups = new Map<number, { row: HealRow; odds: number }>();
    for (const row of example.rows) {
      const odds = sumOf(row.values, weights);
      const known = groups.get(row.group);
      if (!known || odds > known.odds) groups.set(row.group, { row, odds });
    }
    const [best, next] = [...groups.values()].toSorted((a, b) => b.odds - a.odds);
    if (!best) return { example, standing: undefined, trust: 0, isBarred: true, isRight: false };
    const likest = Math.max(...best.row.rivals.flatMap((rival) => [sumOf(rival, weights), sumOf(rival, ofRivals)]));
    const standing = { odds: best.odds, gap: next ? best.odds - next.odds : Number.POSITIVE_INFINITY, margin: best.odds - likest };
    const isBarred = barsOf(likenessOf(best.row), judge).length > 0;
    return { example, standing, trust: trustIn(standing, judge), isBarred, isRight: best.row.isAsGood };
  });
}

type Gates = Pick<Judge, 'trustMin' | 'marginMin'>;

/** Whether the gates of a judge let the best candidate through. */
export function isAccepted({ trust, standing, isBarred }: Ending, { trustMin, marginMin }: Gates): boolean {
  return !isBarred && trust >= trustMin && standing !== undefined && standing.gap >= GAP_MIN && standing.margin >= marginMin;
}

function samplesOf(examples: readonly HealExample[], weights: readonly number[]): readonly Sample[] {
  return examples.flatMap(({ rows, target }) => {
    const hard = rows.filter(({ group }) => group !== target).toSorted((a, b) => sumOf(b.values, weights) - sumOf(a.values, weights));
    const others = hard.slice(0, HARD_ROWS).map(({ values }) => ({ values, isTrue: false, weight: 1 / HARD_ROWS }));
    const own = rows.find(({ isTarget }) => isTarget);
    return own ? [...others, { values: own.values, isTrue: true, weight: 1 }] : others;
  });
}

function withTrust(judge: Judge, examples: readonly HealExample[], steady?: Judge): Judge {
  const samples = judgeExamples(examples, judge, steady).flatMap(({ standing, isBarred, isRight }) => {
    if (!standing || isBarred) return [];
    const { odds, gap, margin } = bounded(standing);
    return [{ values: Float32Array.of(odds, gap, margin), isTrue: isRight, weight: 1 }];
  });
  const [odds = 0, gap = 0, margin = 0, base = 0] = fitLogistic(samples, { isUsed: [true, true, true], isNonNegative: true }).map(round);
  return { ...judge, trust: { base, odds, gap, margin } };
}

function withGates(judge: Judge, examples: readonly HealExample[], steady?: Judge): Judge {
  const endings = judgeExamples(examples, judge, steady);
  const removed = endings.filter(({ example }) => example.fate === 'removed').length;
  const open = endings.filter(({ isBarred }) => !isBarred).toSorted((a, b) => b.trust - a.trust);
  let [gate, most]: [Gates, number] = [{ trustMin: 1, marginMin: 0 }, -1];
  for (const marginMin of MARGINS) {
    let [healed, wrong, accepted] = [0, 0, 0];
    for (const ending of open) {
      if (!isAccepted(ending, { trustMin: 0, marginMin })) continue;
      if (ending.example.fate === 'removed') healed++;
      else [accepted, wrong] = [accepted + 1, wrong + (ending.isRight ? 0 : 1)];
      const isSafe = healed <= removed * FALSE_MAX && wrong <= accepted * FALSE_MAX;
      if (isSafe && accepted - wrong > most)
        [gate, most] = [{ trustMin: Math.ceil(ending.trust * 1000) / 1000, marginMin }, accepted - wrong];
    }
  }
  const undecided = endings.filter((ending) => !isAccepted(ending, gate));
  return { ...judge, ...gate, nearMin: nearMinOf(undecided) };
}

/** The score that best parts targets that are there, though they can't be told, from such that are gone. */
function nearMinOf(undecided: readonly Ending[]): number {
  const scoreOf = ({ standing }: Ending) => (standing ? shareOfOdds(standing.odds) : 0);
  const present = undecided.filter(({ example }) => example.fate !== 'removed').map(scoreOf);
  const removed = undecided.filter(({ example }) => example.fate === 'removed').map(scoreOf);
  const balance = (min: number) =>
    present.filter((score) => score >= min).length / (present.length || 1) +
    removed.filter((score) => score < min).length / (removed.length || 1);
  return Array.from({ length: 19 }, (_, i) => (i + 1) / 20).reduce((best, min) => (balance(min) > balance(best) ? min : best));
}

function weightsOf({ weights, base }: Judge): readonly number[] {
  return [...PROPERTIES.map((property) => weights[property]), base];
}

function likenessOf({ values }: HealRow): Likeness {
  return Object.fromEntries(PROPERTIES.map((property, i) => [property, values[i] as number])) as Record<Property, number>;
}

function sumOf(values: Float32Array, weights: readonly number[]): number {
  let sum = weights[values.length] as number;
  for (let i = 0; i < values.length; i++) sum += (values[i] as number) * (weights[i] as number);
  return sum;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
