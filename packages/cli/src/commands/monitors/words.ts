// Monitors, their values and their checks as people read them.
import type { Check, Monitor, Run, Schedule } from '@weft/contract';
import { cellText, lineText } from '../../cell.ts';
import { durationText, exactDurationText } from '../../duration.ts';
import { CommandError, EXIT } from '../../exit.ts';

/** Characters of a value that is shown by itself. */
const VALUE_MAX = 200;

export function scheduleText({ every, cron, windows }: Schedule): string {
  const when = cron === undefined ? `every ${exactDurationText(every ?? 0)}` : `by cron ${cron}`;
  return windows ? `${when}, within its windows` : when;
}

/** How it stands, in a word. */
export function stateText({ active, state }: Monitor): string {
  return active ? state.kind : 'paused';
}

/** How long ago, or in how long. */
export function whenText(instant: string | undefined, nowMs: number): string {
  if (instant === undefined) return '';
  const seconds = (Date.parse(instant) - nowMs) / 1000;
  if (Math.abs(seconds) < 1) return 'now';
  return seconds > 0 ? `in ${durationText(seconds)}` : `${durationText(-seconds)} ago`;
}

/** What is wrong with a command line, and the command that says more. */
export function usage(message: string, next: string): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next: [next] });
}

/** `name  text`, a line each. */
export function valueLines(
  values: readonly { readonly name: string; readonly text?: string | undefined; readonly problem?: string | undefined }[],
) {
  const width = Math.max(0, ...values.map(({ name }) => name.length));
  return values.map(({ name, text, problem }) => `${cellText(name).padEnd(width)}  ${lineText(text ?? problem ?? 'nothing', VALUE_MAX)}`);
}

const VERDICTS: Readonly<Record<Check['verdict'], string>> = {
  first: 'checked for the first time',
  unchanged: 'unchanged',
  changed: 'changed',
  pending: 'seems changed, which later checks have to confirm',
  trouble: 'could not be checked',
};

/** What a check came to; `isLong` with all gates and values. */
export function checkText(name: string, run: Run, check: Check | undefined, isLong: boolean): string {
  const title = `${lineText(name, VALUE_MAX)}: ${check ? VERDICTS[check.verdict] : run.status}`;
  const failure = run.failure ? [`  ${run.failure.message} (${run.failure.code})`] : [];
  if (!check) return [title, ...failure].join('\n');
  const told = check.changes.map(({ summary }) => `  ${lineText(summary, 2 * VALUE_MAX)}`);
  const values = check.verdict === 'first' ? valueLines(check.values).map((line) => `  ${line}`) : [];
  return [title, ...told, ...values, ...failure, ...(isLong ? gateLines(check) : [])].join('\n');
}

function gateLines({ trace, values }: Check): readonly string[] {
  const gates = trace.flatMap(({ gate, outcome, reasons }) => [
    `  ${gate.padEnd(10)}  ${outcome.padEnd(7)}  ${lineText(reasons[0] ?? '', VALUE_MAX)}`.trimEnd(),
    ...reasons.slice(1).map((reason) => `${' '.repeat(23)}${lineText(reason, VALUE_MAX)}`),
  ]);
  const why = values.flatMap(({ name, reasons }) =>
    reasons.length === 0 ? [] : [`  ${cellText(name)}: ${lineText(reasons.join(' '), VALUE_MAX)}`],
  );
  return [...gates, ...why];
}
