// What became of the selectors: found, missing for so long, told once.
import type { ChangeKind } from '@weft/contract';
import type { KnownTarget } from '../known.ts';
import type { TargetReading, ValueReading } from '../plan.ts';
import { HEAL_AFTER } from '../settings.ts';
import type { TargetSettings } from '../settings.ts';
import type { JudgeRequest, NewChange } from './judgement.ts';

/** A value to judge, with what its selector says of it. */
export interface FoundValue {
  readonly reading: ValueReading;
  readonly target: TargetReading;
  readonly settings: TargetSettings;
  /** The selector found nothing, which is allowed. */
  readonly isAbsent: boolean;
}

/** What came of all selectors. */
export interface JudgedTargets {
  readonly values: readonly FoundValue[];
  /** By the id of the selector. */
  readonly targets: Readonly<Record<string, KnownTarget>>;
  readonly changes: readonly NewChange[];
  /** A sentence for each that is missing. */
  readonly missing: readonly string[];
  /** A sentence for each. */
  readonly reasons: readonly string[];
  readonly heals: readonly { readonly id: number; readonly selector: string }[];
}

/** What a change that is of no value has of one. */
export const NO_VALUE = {
  selectorId: undefined,
  extractorId: undefined,
  name: undefined,
  old: undefined,
  new: undefined,
  oldText: undefined,
  newText: undefined,
  difference: undefined,
  percent: undefined,
} as const;

type Missing = NonNullable<KnownTarget['told']>;

const KIND_OF: Readonly<Record<Missing, ChangeKind>> = {
  drift: 'selector_drift',
  gone: 'gone',
  page_changed: 'page_changed',
  no_value: 'error',
};

const NOT_KNOWN: KnownTarget = { missing: 0, steady: 0 };

/** Counts what is missing, and gives the values of what was found. */
export function judgeTargets(readings: readonly TargetReading[], { targets, known, nowMs }: JudgeRequest): JudgedTargets {
  const judged = readings.flatMap((target) => {
    const settings = targets.find(({ id }) => id === target.id);
    return settings ? [judgeTarget(target, settings, known.targets[target.id] ?? NOT_KNOWN, nowMs)] : [];
  });
  return {
    values: judged.flatMap(({ values }) => values),
    targets: Object.fromEntries(judged.map(({ id, known: after }) => [id, after])),
    changes: judged.flatMap(({ change }) => change ?? []),
    missing: judged.flatMap(({ missing }) => missing ?? []),
    reasons: judged.map(({ reason }) => reason),
    heals: judged.flatMap(({ heal }) => heal ?? []),
  };
}

interface JudgedTarget {
  readonly id: number;
  readonly values: readonly FoundValue[];
  readonly known: KnownTarget;
  readonly change: NewChange | undefined;
  readonly missing: string | undefined;
  readonly reason: string;
  readonly heal: { readonly id: number; readonly selector: string } | undefined;
}

function judgeTarget(target: TargetReading, settings: TargetSettings, known: KnownTarget, nowMs: number): JudgedTarget {
  const { id, name, allowMissing } = settings;
  const proposed = proposalAfter(target, known, nowMs);
  const { dismissed } = known;
  const stays = { ...(proposed ? { proposed } : {}), ...(dismissed ? { dismissed } : {}) };
  const problem = isDismissed(target, known) ? DISMISSED : problemOf(target, settings);
  if (problem === undefined || (allowMissing && problem.why !== 'no_value')) {
    const isAbsent = problem !== undefined;
    const after: KnownTarget = { missing: 0, steady: known.steady + 1, ...stays };
    const heal = settings.autoHeal && proposed && proposed.held >= HEAL_AFTER ? { id, selector: proposed.selector } : undefined;
    const reason = isAbsent ? `${name}: nothing there, which is allowed.` : foundReason(target, name);
    return {
      id,
      values: valuesOf(target, settings, isAbsent),
      known: after,
      change: recovered(known, settings),
      missing: undefined,
      reason,
      heal,
    };
  }
  const missing = known.missing + 1;
  const isTold = known.told !== undefined;
  const tells = !isTold && missing >= settings.missingAfter;
  const told = tells ? problem.why : known.told;
  const times = isTold ? `${missing} checks in a row, and it was told` : `${missing} of ${settings.missingAfter} checks in a row`;
  const reason = `${name}: ${problem.sentence} In ${times}.`;
  const after: KnownTarget = { missing, steady: 0, ...(told === undefined ? {} : { told }), ...stays };
  const change = tells ? changeOf(KIND_OF[problem.why], settings, problem.sentence) : undefined;
  return { id, values: [], known: after, change, missing: reason, reason, heal: undefined };
}

/** A person said that this is not the target. */
const DISMISSED = {
  why: 'drift',
  sentence: 'What it looked for may stand elsewhere, and what is most like it was refused by a person. Set another selector.',
} as const;

function isDismissed({ via, proposal }: TargetReading, { dismissed = [] }: KnownTarget): boolean {
  return via !== 'selector' && proposal !== undefined && dismissed.includes(proposal.selector);
}

/** Why a selector gives no value. */
function problemOf(target: TargetReading, { baseline }: TargetSettings): { readonly why: Missing; readonly sentence: string } | undefined {
  const { verdict, via, values, problem, others } = target;
  if (problem !== undefined) return { why: 'no_value', sentence: problem };
  if (via === undefined && verdict === 'gone' && Object.keys(baseline).length === 0) return { why: 'gone', sentence: NOTHING_YET };
  if (via === undefined && others) return { why: 'drift', sentence: `It finds ${others.now}, and found ${others.before} before: ${WHICH}` };
  if (via === undefined)
    return { why: verdict === 'drift' || verdict === 'page_changed' ? verdict : 'gone', sentence: MISSING_WORDS[verdict] };
  const without = values.find((value) => value.problem !== undefined);
  return without && { why: 'no_value', sentence: `${without.name}: ${without.problem ?? ''}` };
}

/** There is no page before to hold this one against. */
const NOTHING_YET =
  'It finds nothing, and no earlier check says what it should find. It may be mistyped, or be written by scripts: then set "lane" to "browser".';

const WHICH = 'which of them is meant can not be told. Point at one, set "many" for any number, or take the page of now as its baseline.';

const MISSING_WORDS: Readonly<Record<TargetReading['verdict'], string>> = {
  found: 'It finds nothing.',
  gone: 'It finds nothing; the rest of the page is as before, so that what it looked for seems to be gone.',
  drift: 'It finds nothing, and the page is as before: what it looked for may stand elsewhere. Look at the near misses of its test.',
  page_changed: 'It finds nothing, and the page is another than that of the baseline.',
  blocked: 'It finds nothing: something stands before the page.',
};

const FIRST = ', of which the first is read (`many` reads all, the type `list` their items)';

function foundReason({ verdict, via, matches, many, values, confidence }: TargetReading, name: string): string {
  const isFirst = matches > 1 && !many && values.some(({ type }) => type !== 'list' && type !== 'count');
  if (via === 'selector') return `${name}: found ${matches}${isFirst ? FIRST : ''}.`;
  const how = via === 'alternate' ? 'by a selector that the baseline kept beside it' : `by likeness, at ${confidence.toFixed(2)}`;
  return `${name}: found ${how}, because the selector itself ${verdict === 'found' ? 'finds another number' : 'drifted'}. A repair is proposed.`;
}

function valuesOf(target: TargetReading, settings: TargetSettings, isAbsent: boolean): readonly FoundValue[] {
  return target.values.map((reading) => ({ reading, target, settings, isAbsent }));
}

function proposalAfter({ proposal }: TargetReading, { proposed, dismissed = [] }: KnownTarget, nowMs: number): KnownTarget['proposed'] {
  if (!proposal || dismissed.includes(proposal.selector)) return undefined;
  const { selector } = proposal;
  return proposed?.selector === selector ? { ...proposed, held: proposed.held + 1 } : { selector, held: 1, sinceMs: nowMs };
}

function recovered({ told }: KnownTarget, settings: TargetSettings): NewChange | undefined {
  return told === undefined ? undefined : changeOf('recovered', settings, 'It is found again.');
}

function changeOf(kind: ChangeKind, { id, name }: TargetSettings, sentence: string): NewChange {
  return { ...NO_VALUE, kind, selectorId: id, name, summary: `${name}: ${sentence}` };
}
