// The verdict of a check: what was read of the page, held against what is known. Pure: equal arguments give equal verdicts.
import type { Check, GateTrace } from '@weft/contract';
import type { KnownTarget } from '../known.ts';
import type { PageReading } from '../plan.ts';
import type { MonitorSettings } from '../settings.ts';
import type { JudgeRequest, Judgement, NewChange } from './judgement.ts';
import { NO_VALUE, judgeTargets } from './targets.ts';
import { stand } from './trouble.ts';
import type { Standing, TroubleNotice } from './trouble.ts';
import { judgeValues } from './values.ts';

/** The verdict on a page that could not be looked at: nothing of it is compared. */
export function judgeTrouble(standing: Standing, { settings, known, nowMs }: JudgeRequest): Judgement {
  const { state, notice, reasons } = stand(known.state, standing, settings.trouble, nowMs);
  return {
    verdict: 'trouble',
    changedSinceLast: false,
    differsFromBaseline: undefined,
    state: standing.kind,
    trouble: troubleOf(standing),
    values: [],
    changes: notice ? [toChange(notice)] : [],
    trace: [notifyGate(notice ? 1 : 0, reasons)],
    flapping: false,
    known: { ...known, state },
    recorded: [],
    heals: [],
  };
}

/** The verdict on what was read. */
export async function judgeReading(reading: PageReading, request: JudgeRequest): Promise<Judgement> {
  const { settings, known, nowMs } = request;
  const standing = whyNotRead(reading, settings);
  if (standing) return judgeTrouble(standing, request);
  const found = judgeTargets(reading.targets, request);
  const judged = await judgeValues(reading, found.values, request);
  const isMissing = found.missing.length > 0;
  const stands = standingOf(found.missing, judged.isPending);
  const { state, notice } = stand(known.state, stands, settings.trouble, nowMs);
  const changes = [...judged.changes, ...found.changes, ...(notice ? [toChange(notice)] : [])];
  const verdict = verdictOf(changes.length > 0, judged, isMissing);
  const known2 = { state, values: { ...known.values, ...judged.known }, targets: targetsAfter(found.targets, judged.differing) };
  return {
    verdict,
    changedSinceLast: judged.differing.size > 0,
    differsFromBaseline: judged.differsFromBaseline,
    state: state.kind,
    trouble: verdict === 'trouble' ? troubleOf(stands) : undefined,
    values: judged.values,
    changes,
    trace: [...readingGates(reading, found.reasons, isMissing), ...judged.trace, notifyGate(changes.length, [])],
    flapping: judged.flapping,
    known: known2,
    recorded: judged.recorded,
    heals: found.heals,
  };
}

/** Why a page that came is not the one that is watched. */
function whyNotRead({ standsBefore, isEmpty, page }: PageReading, { emptyIsChange }: MonitorSettings): Standing | undefined {
  if (page?.problem !== undefined) return { kind: 'error', code: 'page_unreadable', message: page.problem };
  if (standsBefore) return { kind: 'blocked', code: standsBefore.code, message: standsBefore.message };
  if (!isEmpty || emptyIsChange) return undefined;
  return { kind: 'empty', code: 'empty', message: 'The page came without any text. Set "empty_is_change" where that is an answer.' };
}

function troubleOf({ code = 'bad_response', message = 'The page could not be looked at.' }: Standing): Judgement['trouble'] {
  return { code, message };
}

function standingOf(missing: readonly string[], isPending: boolean): Standing {
  if (missing.length > 0) return { kind: 'missing', code: 'selector', message: missing.join(' ') };
  return { kind: isPending ? 'pending' : 'ok' };
}

function verdictOf(
  isTold: boolean,
  judged: { readonly isPending: boolean; readonly isFirst: boolean },
  isMissing: boolean,
): Check['verdict'] {
  if (isTold) return 'changed';
  if (judged.isPending) return 'pending';
  if (isMissing) return 'trouble';
  return judged.isFirst ? 'first' : 'unchanged';
}

/** A target is steady for one check more where none of its values differed. */
function targetsAfter(
  targets: Readonly<Record<string, KnownTarget>>,
  differing: ReadonlySet<number | undefined>,
): Readonly<Record<string, KnownTarget>> {
  return Object.fromEntries(
    Object.entries(targets).map(([id, target]) => [id, differing.has(Number(id)) ? { ...target, steady: 0 } : target]),
  );
}

function readingGates(reading: PageReading, reasons: readonly string[], isMissing: boolean): readonly GateTrace[] {
  const { subtracted, targets, ignored } = reading;
  const problems = [...(reading.page ? [reading.page] : []), ...targets.flatMap(({ values }) => values)].flatMap(({ name, problem }) =>
    problem === undefined ? [] : [`${name}: ${problem}`],
  );
  return [
    {
      gate: 'subtract',
      outcome: subtracted > 0 ? 'passed' : 'skipped',
      reasons: subtracted > 0 ? [`${subtracted} elements were taken out.`] : [],
    },
    { gate: 'match', outcome: targets.length === 0 ? 'skipped' : isMissing ? 'stopped' : 'passed', reasons: [...reasons] },
    { gate: 'extract', outcome: problems.length > 0 ? 'stopped' : 'passed', reasons: problems },
    {
      gate: 'ignore',
      outcome: ignored > 0 ? 'passed' : 'skipped',
      reasons: ignored > 0 ? [`${ignored} lines or places count for nothing.`] : [],
    },
  ];
}

function notifyGate(told: number, reasons: readonly string[]): GateTrace {
  if (told === 0) return { gate: 'notify', outcome: 'skipped', reasons: [...reasons, 'There is nothing to tell.'] };
  return { gate: 'notify', outcome: 'passed', reasons: [...reasons, `${told} ${told === 1 ? 'change is' : 'changes are'} told.`] };
}

function toChange({ kind, summary }: TroubleNotice): NewChange {
  return { ...NO_VALUE, kind, summary };
}
