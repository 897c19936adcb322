// What is kept of a check, in the words of its tables: every store writes the same, whichever database it stands on.
import type { Check, NoticeData, RunFailure, Schedule, SnapshotPartName, SnapshotValue } from '@weft/contract';
import { isPageErrorCode } from '../errors.ts';
import { FIRST_CADENCE, afterRun } from '../schedule/cadence.ts';
import type { Cadence } from '../schedule/cadence.ts';
import type { CheckOutcome, LastPage } from './check-ports.ts';
import { baselineValues } from './kept-target.ts';
import type { KeptBaseline, KeptProposal } from './kept-target.ts';
import { valueKey } from './known.ts';
import type { KnownTarget, KnownValue } from './known.ts';
import type { NewChange } from './verdict/judgement.ts';

/** What a check says of itself, but for the names that its store gives: of the run, of what is watched, and of its changes. */
export type CheckBody = Omit<Check, 'run_id' | 'monitor_id' | 'changes'>;

/** The check as it is answered. */
export function checkBody(outcome: CheckOutcome, nowMs: number): CheckBody {
  const { judgement, page, fetched, durationMs } = outcome;
  const { verdict, changedSinceLast, differsFromBaseline, state, trouble, values, trace, flapping } = judgement;
  return {
    checked_at: new Date(nowMs).toISOString(),
    verdict,
    changed_since_last: changedSinceLast,
    ...(differsFromBaseline === undefined ? {} : { differs_from_baseline: differsFromBaseline }),
    state,
    ...(trouble ? { failure: codeOfTrouble(trouble.code) } : {}),
    ...(page ? { page: shownPage(page) } : {}),
    trace: [{ gate: 'fetch', outcome: fetched.outcome, reasons: [...fetched.reasons], duration_ms: fetched.durationMs }, ...trace],
    values: [...values],
    ...(flapping ? { flapping } : {}),
    duration_ms: durationMs,
  };
}

function shownPage({ url, status, lane, fromCache, bytes, title }: NonNullable<CheckOutcome['page']>): NonNullable<Check['page']> {
  return { url, status, lane, from_cache: fromCache, bytes, ...(title === undefined ? {} : { title }) };
}

/** The code under which a run fails whose check had trouble: a page's own, or what the machine was short of. */
export function codeOfTrouble(code: string): RunFailure['code'] {
  if (code === 'vault_locked') return code;
  return isPageErrorCode(code) && code !== 'aborted' ? code : 'bad_response';
}

/** What the page was when it was read last, after this check; undefined where it never was. */
export function lastPageAfter({ page, subject }: CheckOutcome): LastPage | undefined {
  if (!page) return subject.lastPage;
  const { fromCache: _fromCache, ...lastPage } = page;
  return lastPage;
}

/** Values that are another than the store knows, by their keys. */
export function valuesToKeep({ judgement, subject }: CheckOutcome): readonly (readonly [key: string, value: KnownValue])[] {
  return Object.entries(judgement.known.values).filter(([key, value]) => value !== subject.known.values[key]);
}

/** What changed of a selector. */
export interface TargetToKeep {
  readonly id: number;
  /** Undefined where nothing is known of it. */
  readonly known: KnownTarget | undefined;
  /** Undefined where none is. */
  readonly proposal: KeptProposal | undefined;
  /** Recorded now; undefined leaves the one that there is. */
  readonly baseline: KeptBaseline | undefined;
  /** The selector that takes the place of the one that it repairs. */
  readonly healed: string | undefined;
}

/** Of each selector that was looked for what is to be kept. */
export function targetsToKeep({ subject, judgement, baselines, proposals, page }: CheckOutcome, nowMs: number): readonly TargetToKeep[] {
  return subject.targets.map(({ id }) => {
    const known = judgement.known.targets[id];
    const proposal = proposals.find((one) => one.id === id)?.proposal;
    const recorded = baselines.find((one) => one.id === id);
    return {
      id,
      known,
      // One that a person refused is not known as proposed.
      proposal: proposal !== undefined && known?.proposed?.selector === proposal.selector ? proposal : undefined,
      baseline: recorded?.baseline && {
        capturedMs: nowMs,
        url: page?.url ?? '',
        target: recorded.baseline,
        values: baselineValues(recorded.values),
      },
      healed: judgement.heals.find((one) => one.id === id)?.selector,
    };
  });
}

/** A value that is another than before, as a record; none for an equal one. */
export function recordsOf(
  { judgement, page }: CheckOutcome,
  url: string | null,
  nowMs: number,
): readonly { readonly key: string; readonly body: Readonly<Record<string, unknown>> }[] {
  return judgement.recorded.flatMap((key) => {
    const value = judgement.known.values[key];
    const shown = judgement.values.find(({ selector_id: selector, extractor_id: extractor }) => valueKey(selector, extractor) === key);
    if (!value || !shown) return [];
    const { name, type, selector_id, extractor_id } = shown;
    const body = {
      name,
      type,
      ...(selector_id === undefined ? {} : { selector_id }),
      ...(extractor_id === undefined ? {} : { extractor_id }),
      ...(value.value === undefined ? {} : { value: value.value }),
      text: value.text,
      url: page?.url ?? url,
      observed_at: new Date(nowMs).toISOString(),
    };
    return [{ key, body }];
  });
}

/** A content of a snapshot, before it is kept. */
export interface SnapshotContentDraft {
  readonly part: SnapshotPartName;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** What a check saw that found something new: its values, what they were read from, and the picture that was asked for. Undefined where it did not. */
export function snapshotOf({
  seen,
  judgement,
  page,
}: CheckOutcome): { readonly url: string; readonly parts: readonly SnapshotContentDraft[] } | undefined {
  if (!seen || !page) return undefined;
  const values = new TextEncoder().encode(JSON.stringify(valuesAfter(judgement)));
  return {
    url: page.url,
    parts: [
      { part: 'values', contentType: 'application/json', bytes: values },
      { part: 'body', contentType: seen.contentType ?? 'application/octet-stream', bytes: seen.body },
      ...(seen.picture ? [{ part: 'picture', contentType: 'image/png', bytes: seen.picture } as const] : []),
    ],
  };
}

/** What is known of each value after the check: equal values give equal bytes. */
function valuesAfter({ values, known }: CheckOutcome['judgement']): readonly SnapshotValue[] {
  return values.flatMap(({ selector_id, extractor_id, name, type }) => {
    const now: KnownValue | undefined = known.values[valueKey(selector_id, extractor_id)];
    if (!now) return [];
    return [
      {
        ...(selector_id === undefined ? {} : { selector_id }),
        ...(extractor_id === undefined ? {} : { extractor_id }),
        name,
        // Checks show the types that extractors have.
        type: type as SnapshotValue['type'],
        ...(now.value === undefined ? {} : { value: now.value }),
        text: now.text,
        compared: now.compared,
      },
    ];
  });
}

/** Characters of a value in a notice. */
const TOLD_CHARS_MAX = 2_000;

/** A change as it was kept, with the name that its store gave it. */
export interface KeptChange extends Pick<
  NewChange,
  'kind' | 'name' | 'old' | 'new' | 'oldText' | 'newText' | 'percent' | 'difference' | 'summary'
> {
  readonly id: number | string;
  readonly url: string | null;
}

/** What a notice tells of a change. */
export function toldChange({ id, kind, name, old, new: now, oldText, newText, percent, difference, url }: KeptChange): NoticeData {
  return {
    id,
    kind,
    ...(name === undefined ? {} : { name }),
    ...(oldText === undefined ? {} : { old: oldText.slice(0, TOLD_CHARS_MAX), old_value: old }),
    ...(newText === undefined ? {} : { new: newText.slice(0, TOLD_CHARS_MAX), new_value: now }),
    ...(percent === undefined ? {} : { percent }),
    ...(difference === undefined ? {} : { difference }),
    ...(url === null ? {} : { link: url }),
  };
}

/** What is remembered of how often to check, after a check that looked. */
export function cadenceAfter(
  schedule: Schedule,
  kept: Partial<Cadence>,
  { changed_since_last: changed, failure }: CheckBody,
  outcome: Pick<CheckOutcome, 'refusedStatus' | 'retryAtMs'>,
): Cadence {
  const { refusedStatus: status, retryAtMs } = outcome;
  const retry = retryAtMs === undefined ? {} : { retryAtMs };
  const ended = failure === undefined ? { changed, ...retry } : { failure, ...(status === undefined ? {} : { status }), ...retry };
  return afterRun(schedule, { ...FIRST_CADENCE, ...kept }, ended);
}
