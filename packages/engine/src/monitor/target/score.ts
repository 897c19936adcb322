// Weighs how like two elements are, and holds the best candidate of a page to the gates of a repair.
import { CHANGING, STEADY } from './generated/target-weights.ts';
import type { Judge } from './judge.ts';
import { PROPERTIES } from './likeness.ts';
import type { Likeness, Property } from './likeness.ts';

/** The judge for a target whose value has not changed for some checks, and for one whose value changes. */
export function judgeFor(isSteady: boolean): Judge {
  return isSteady ? STEADY : CHANGING;
}

/** Log odds that two elements are the same. */
export function oddsOf(likeness: Likeness, { weights, base }: Judge): number {
  let sum = base;
  for (const property of PROPERTIES) sum += weights[property] * likeness[property];
  return sum;
}

/** Log odds as a share from 0 to 1. */
export function shareOfOdds(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** What is known of the best candidate; all are differences of log odds but the first. */
export interface Standing {
  readonly odds: number;
  /** To the runner-up. */
  readonly gap: number;
  /** To how like it is to the likest of those that stood beside the target when the baseline was recorded. */
  readonly margin: number;
}

/** Where nothing is near, more distance says no more. */
const DISTANCE_MAX = 4;

/** How surely the best candidate is the target, from 0 to 1. */
export function trustIn(standing: Standing, { trust }: Pick<Judge, 'trust'>): number {
  const { odds, gap, margin } = bounded(standing);
  return shareOfOdds(trust.base + trust.odds * odds + trust.gap * gap + trust.margin * margin);
}

/** The standing with distances of at most DISTANCE_MAX. */
export function bounded({ odds, gap, margin }: Standing): Standing {
  return { odds, gap: Math.min(DISTANCE_MAX, gap), margin: Math.max(-DISTANCE_MAX, Math.min(DISTANCE_MAX, margin)) };
}

/** Properties that are likely to fail together; a repair rests on two groups that agree. */
const FAMILIES: readonly (readonly Property[])[] = [
  ['votes'],
  ['id', 'classes', 'attributes', 'href'],
  ['text', 'alone'],
  ['label'],
  ['heading'],
  ['before', 'after', 'within'],
  ['around'],
];
const AGREEING_MIN = 2;
/** From three quarters in common on a property agrees. */
const AGREES = 0.5;

/**
 * The runner-up is at most a fifth as likely: between two that are nearly as like nobody can choose, whatever the trust. The set that
 * judges are fitted to has too few such pairs to say more; the gate costs two in a hundred of its repairs.
 */
export const GAP_MIN = 1.5;

/** Why a candidate is no repair, in a few words each; empty where it passes all gates. */
export function refusalsOf(likeness: Likeness, standing: Standing, judge: Judge): readonly string[] {
  return [
    ...(trustIn(standing, judge) < judge.trustMin ? ['not like enough'] : []),
    ...(standing.gap < GAP_MIN ? ['another is as like'] : []),
    ...(standing.margin < judge.marginMin ? ['as like to what stood beside it'] : []),
    ...barsOf(likeness, judge),
  ];
}

/** The gates that hang on no number of the judge. */
export function barsOf(likeness: Likeness, { weights }: Pick<Judge, 'weights'>): readonly string[] {
  const agreeing = FAMILIES.filter((family) => family.some((property) => weights[property] > 0 && likeness[property] >= AGREES)).length;
  return [
    ...(likeness.shape < 0 ? ['value of another kind'] : []),
    ...(likeness.landmark < 0 ? ['in another part of the page'] : []),
    ...(agreeing < AGREEING_MIN ? ['fewer than two independent properties agree'] : []),
  ];
}

const NAMES: Readonly<Record<Property, string>> = {
  tag: 'tag',
  role: 'role',
  id: 'id',
  classes: 'classes',
  attributes: 'attributes',
  href: 'address',
  text: 'text',
  alone: 'text, which nothing else says',
  shape: 'kind of value',
  label: 'label',
  heading: 'heading above',
  before: 'words before',
  after: 'words after',
  within: 'words around',
  around: 'names of what holds it',
  at: 'place among siblings',
  depth: 'place on the page',
  landmark: 'part of the page',
  votes: 'alternates',
};
const NAMED_MAX = 5;

/** What speaks for a candidate, the heaviest first; at most five. */
export function agreementsOf(likeness: Likeness, judge: Judge): readonly string[] {
  return named(likeness, judge, (value) => value >= AGREES).map((name) => `same ${name}`);
}

/** What speaks against it, likewise. */
export function differencesOf(likeness: Likeness, judge: Judge): readonly string[] {
  return named(likeness, judge, (value) => value < 0).map((name) => `other ${name}`);
}

function named(likeness: Likeness, { weights }: Judge, is: (value: number) => boolean): readonly string[] {
  return PROPERTIES.filter((property) => weights[property] > 0 && is(likeness[property]))
    .toSorted((a, b) => Math.abs(weights[b] * likeness[b]) - Math.abs(weights[a] * likeness[a]))
    .slice(0, NAMED_MAX)
    .map((property) => NAMES[property]);
}
