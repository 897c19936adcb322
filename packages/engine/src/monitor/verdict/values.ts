// Judges the values of a check together: rules of phrases and conditions hold for all of them.
import type { CheckedValue, GateTrace } from '@weft/contract';
import type { JsonValue } from '../../html/loose-json.ts';
import type { KnownValue, SeenValue } from '../known.ts';
import { valueKey } from '../known.ts';
import type { PageReading, ValueReading } from '../plan.ts';
import { decideWhen } from './conditions.ts';
import type { Decided } from './conditions.ts';
import type { JudgeRequest, NewChange } from './judgement.ts';
import { writeLines } from './line-changes.ts';
import { kindOfChange, summarize } from './summary.ts';
import type { FoundValue } from './targets.ts';
import { ABSENT, advance, differ, firstKnown, isFlapping, settle, stayed } from './value.ts';
import type { Difference } from './value.ts';

/** What came of all values. */
export interface JudgedValues {
  readonly values: readonly CheckedValue[];
  readonly changes: readonly NewChange[];
  readonly trace: readonly GateTrace[];
  /** What is known now of each value that was read. */
  readonly known: Readonly<Record<string, KnownValue>>;
  /** Selectors of the values that differ from what was known; undefined is the page. */
  readonly differing: ReadonlySet<number | undefined>;
  readonly recorded: readonly string[];
  readonly differsFromBaseline: boolean | undefined;
  readonly isPending: boolean;
  readonly isFirst: boolean;
  readonly flapping: boolean;
}

/** Characters of a value's text that the check shows. */
const SHOWN_MAX = 10_000;

/** One value on its way. */
interface Candidate {
  readonly key: string;
  readonly reading: ValueReading;
  readonly found: FoundValue | undefined;
  readonly now: SeenValue;
  readonly known: KnownValue | undefined;
  readonly baseline: SeenValue | undefined;
  readonly difference: Difference;
}

/** What became of it. */
interface Outcome {
  readonly known: KnownValue | undefined;
  readonly told: boolean;
  readonly isPending: boolean;
  readonly reasons: readonly string[];
}

/** Judges the values of `targets`, or that of the page. */
export async function judgeValues(reading: PageReading, targets: readonly FoundValue[], request: JudgeRequest): Promise<JudgedValues> {
  const candidates = [
    ...(reading.page && reading.page.problem === undefined ? [candidate(reading.page, undefined, request)] : []),
    ...targets.map((found) => candidate(found.reading, found, request)),
  ];
  const counting = candidates.filter(({ difference }) => difference.kind === 'counts');
  const held = await heldBack(reading, candidates, counting, request);
  const outcomes = candidates.map((one) => outcomeOf(one, held, request));
  const changes = candidates.flatMap((one, i) => (outcomes[i]?.told === true ? [changeOf(one)] : []));
  const known = Object.fromEntries(candidates.flatMap(({ key }, i) => (outcomes[i]?.known ? [[key, outcomes[i].known]] : [])));
  const baselines = candidates.filter(({ baseline }) => baseline !== undefined);
  return {
    values: candidates.map((one, i) => checkedValue(one, outcomes[i])),
    changes,
    trace: [conditionsGate(counting, candidates, held), confirmGate(outcomes, counting.length, held)],
    known,
    differing: new Set(candidates.filter(isDiffering).map(({ reading: { selectorId } }) => selectorId)),
    recorded: candidates.filter(({ key, known: before }) => isRecorded(before, known[key])).map(({ key }) => key),
    differsFromBaseline: baselines.length === 0 ? undefined : baselines.some(({ now, baseline }) => now.digest !== baseline?.digest),
    isPending: outcomes.some(({ isPending }) => isPending),
    isFirst: candidates.length > 0 && candidates.every(({ difference }) => difference.kind === 'first'),
    flapping: Object.values(known).some(isFlapping),
  };
}

function candidate(reading: ValueReading, found: FoundValue | undefined, { settings, known }: JudgeRequest): Candidate {
  const { selectorId, extractorId, type, text, compared, digest, value } = reading;
  const key = valueKey(selectorId, extractorId);
  const now: SeenValue = found?.isAbsent === true ? ABSENT : { text, compared, digest, ...(value === undefined ? {} : { value }) };
  const baseline = found?.settings.baseline[key];
  const alert = found?.settings.alerts[key] ?? {};
  const before = known.values[key];
  return {
    key,
    reading,
    found,
    now,
    known: before,
    baseline,
    difference: differ({ type, now, known: before, baseline, alert }, settings.filter),
  };
}

/** Why nothing is told now, whatever changed; what is known stays as it is meanwhile. Undefined where nothing is in the way. */
async function heldBack(
  reading: PageReading,
  candidates: readonly Candidate[],
  counting: readonly Candidate[],
  { settings }: JudgeRequest,
): Promise<Decided | undefined> {
  if (counting.length === 0) return undefined;
  const reasons: string[] = [];
  if (reading.triggers.length > 0 && !reading.triggers.some(({ found }) => found))
    reasons.push(`None of the words to wait for is there: ${reading.triggers.map(({ phrase }) => `"${phrase}"`).join(', ')}.`);
  for (const { phrase, found } of reading.blocks) if (found) reasons.push(`"${phrase}" is there, and nothing is told while it is.`);
  if (reasons.length > 0) return { holds: false, reasons };
  return settings.when === undefined ? undefined : await decideWhen(settings.when, scopeOf(candidates));
}

function scopeOf(candidates: readonly Candidate[]) {
  const named = <Value>(pick: (one: Candidate) => Value | undefined) =>
    Object.fromEntries(candidates.flatMap((one) => (pick(one) === undefined ? [] : [[one.reading.name, pick(one) as Value]])));
  const lines = candidates.flatMap(({ difference }) => (difference.kind === 'counts' && difference.lines ? [difference.lines] : []));
  return {
    values: named<JsonValue>(({ now }) => now.value),
    old: named<JsonValue>(({ known }) => known?.value),
    percent: named<number>(({ difference }) => ('percent' in difference ? difference.percent : undefined)),
    text: candidates.map(({ now }) => now.text).join('\n'),
    added: lines.flatMap(({ added, replacedNew }) => [...added, ...replacedNew]).join('\n'),
    removed: lines.flatMap(({ removed, replacedOld }) => [...removed, ...replacedOld]).join('\n'),
  };
}

function outcomeOf({ difference, now, known }: Candidate, held: Decided | undefined, { settings, nowMs }: JudgeRequest): Outcome {
  const quiet = (after: KnownValue, reasons: readonly string[]): Outcome => ({ known: after, told: false, isPending: false, reasons });
  if (!known || difference.kind === 'first') return quiet(firstKnown(now, settings.filter, nowMs), ['It is the first.']);
  if (difference.kind === 'same') {
    const { known: after, reason } = stayed(known);
    return quiet(after, reason === undefined ? [] : [reason]);
  }
  if (difference.kind === 'quiet') return quiet(advance(known, now, settings.filter, nowMs), [difference.reason]);
  if (held && !held.holds) return quiet(known, held.reasons);
  const { known: after, outcome, reason } = settle(known, now, settings, nowMs);
  return { known: after, told: outcome === 'told', isPending: outcome === 'pending', reasons: [difference.reason, reason] };
}

function changeOf({ reading, now, known, difference }: Candidate): NewChange {
  const { type, name, selectorId, extractorId } = reading;
  const old = known ?? ABSENT;
  const kind = kindOfChange(type, old, now);
  const percent = 'percent' in difference ? difference.percent : undefined;
  const lines = difference.kind === 'counts' ? difference.lines : undefined;
  return {
    kind,
    selectorId,
    extractorId,
    name,
    old: old.value,
    new: now.value,
    oldText: textOf(old),
    newText: textOf(now),
    difference: lines && writeLines(lines),
    summary: summarize(kind, name, old, now, percent),
    percent,
  };
}

function textOf({ value, text }: SeenValue): string | undefined {
  return value === undefined ? undefined : text.slice(0, SHOWN_MAX);
}

function checkedValue({ reading, found, now, known, baseline, difference }: Candidate, outcome: Outcome | undefined): CheckedValue {
  const { selectorId, extractorId, name, type, problem } = reading;
  const previous = difference.kind === 'same' ? known?.lastOther : known?.value;
  return {
    ...(selectorId === undefined ? {} : { selector_id: selectorId }),
    ...(extractorId === undefined ? {} : { extractor_id: extractorId }),
    name,
    type,
    ...(now.value === undefined ? {} : { value: now.value }),
    text: now.text.slice(0, SHOWN_MAX),
    ...(problem === undefined ? {} : { problem }),
    ...(previous === undefined ? {} : { previous }),
    changed: isDiffering({ difference }),
    told: outcome?.told ?? false,
    ...(baseline === undefined ? {} : { differs_from_baseline: now.digest !== baseline.digest }),
    ...(found ? ofTarget(found) : {}),
    reasons: [...(outcome?.reasons ?? [])],
  };
}

function ofTarget({ target: { verdict, via, confidence } }: FoundValue): Partial<CheckedValue> {
  return { verdict, confidence, ...(via === undefined ? {} : { via, ...(via === 'repair' ? { healed: true } : {}) }) };
}

function isDiffering({ difference: { kind } }: Pick<Candidate, 'difference'>): boolean {
  return kind === 'quiet' || kind === 'counts';
}

/** A value becomes a record when it is known as another one from now on. */
function isRecorded(before: KnownValue | undefined, after: KnownValue | undefined): boolean {
  return after !== undefined && after.digest !== before?.digest;
}

function conditionsGate(counting: readonly Candidate[], all: readonly Candidate[], held: Decided | undefined): GateTrace {
  const quiet = all.flatMap(({ reading, difference }) => (difference.kind === 'quiet' ? [`${reading.name}: ${difference.reason}`] : []));
  const reasons = [...quiet, ...(held?.reasons ?? [])];
  if (counting.length === 0) return { gate: 'conditions', outcome: quiet.length > 0 ? 'stopped' : 'skipped', reasons };
  return { gate: 'conditions', outcome: held && !held.holds ? 'stopped' : 'passed', reasons };
}

function confirmGate(outcomes: readonly Outcome[], counting: number, held: Decided | undefined): GateTrace {
  if (counting === 0 || (held && !held.holds)) return { gate: 'confirm', outcome: 'skipped', reasons: [] };
  const told = outcomes.filter((one) => one.told).length;
  return { gate: 'confirm', outcome: told > 0 ? 'passed' : 'stopped', reasons: outcomes.flatMap(({ reasons }) => reasons.slice(1)) };
}
