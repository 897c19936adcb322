// weft monitor history <monitor>: its checks, or how one of its values went.
import type { Check, SeriesPoint } from '@weft/contract';
import { lineText } from '../../cell.ts';
import { instantOption } from '../../duration.ts';
import { listPage } from '../../list-page.ts';
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';
import { minuteText } from '../../instant-text.ts';
import { findMonitor, findValue } from './refs.ts';
import { usage } from './words.ts';

const LIMIT = 20;
const WHAT_MAX = 400;

export const run: CommandRun = async (context, [ref = ''], options) => {
  const page = listPage(context, options, LIMIT);
  const { since } = instantOption(options, 'since');
  const client = await context.client();
  const { signal } = context;
  const monitor = await findMonitor(client, ref, signal);
  const { id } = monitor;
  if (typeof options['value'] === 'string') {
    if (page.query.offset !== undefined)
      throw usage('--offset is of checks; a value is followed from --since.', 'weft monitor history --help');
    const query = { id, ...findValue(monitor, options['value']), limit: page.query.limit, ...(since === undefined ? {} : { since }) };
    // Without buckets, points are all that it answers.
    const { data } = (await client.monitors.values(query, { signal })) as { readonly data: readonly SeriesPoint[] };
    return context.show(data, pointsTable(data));
  }
  // One of the choices.
  const verdict = typeof options['verdict'] === 'string' ? { verdict: options['verdict'] as Check['verdict'] } : {};
  const { data } = await client.monitors.checks({ id, ...page.query, ...verdict }, page.call);
  const checks = data.filter(({ checked_at: at }) => since === undefined || at >= since);
  context.show(checks, checksTable(checks));
  if (checks.length === data.length) page.tell(checks.length);
};

function checksTable(checks: readonly Check[]): string {
  const rows = checks.map((check) => [
    minuteText(check.checked_at),
    String(check.run_id),
    check.verdict === 'trouble' ? check.state : check.verdict,
    `${check.duration_ms} ms`,
    lineText(whatOf(check), WHAT_MAX),
  ]);
  return table(['AT (UTC)', 'RUN', 'VERDICT', 'TOOK', 'WHAT'], rows);
}

/** What it told, or why it could not look, or what it looked at. */
function whatOf({ verdict, changes, page, trace }: Check): string {
  const told = changes.map(({ summary }) => summary).join(' ');
  const stopped = verdict === 'trouble' ? trace.find(({ outcome }) => outcome === 'stopped')?.reasons.join(' ') : undefined;
  return told || stopped || (page ? `${page.status}, ${page.bytes} bytes` : '');
}

function pointsTable(points: readonly SeriesPoint[]): string {
  const rows = points.map(({ at, run_id: runId, text }) => [minuteText(at), String(runId), lineText(text, WHAT_MAX)]);
  return table(['SINCE (UTC)', 'RUN', 'VALUE'], rows);
}
