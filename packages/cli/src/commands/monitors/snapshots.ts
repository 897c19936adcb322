// weft monitor snapshots <monitor> [snapshot]: what checks saw that was new; of one its values, or a part of it as a file.
import type { Snapshot, SnapshotWithValues } from '@weft/contract';
import { download, outputOf } from '../../download.ts';
import { listPage } from '../../list-page.ts';
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';
import { pairs, table } from '../../table.ts';
import { minuteText } from '../../instant-text.ts';
import { findMonitor } from './refs.ts';
import { usage, valueLines } from './words.ts';

const LIMIT = 50;
const NEXT = 'weft monitor snapshots --help';

export const run: CommandRun = async (context, [ref = '', which], options) => {
  const page = listPage(context, options, LIMIT);
  const { part } = options;
  const output = await outputOf(options);
  if (which === undefined && (part !== undefined || output !== undefined))
    throw usage('--part and --output are of one snapshot: say which.', NEXT);
  const client = await context.client();
  const { signal } = context;
  const { id } = await findMonitor(client, ref, signal);
  if (which === undefined) {
    const { data } = await client.monitors.snapshots({ id, ...page.query }, page.call);
    context.show(data, snapshotsTable(data));
    return page.tell(data.length);
  }
  const list = `weft monitor snapshots ${id}`;
  const snapshot = parseRowId(which, 'snapshot', list);
  if (typeof part !== 'string' && output === undefined) {
    const shown = await orTry(list, client.monitors.snapshot({ id, snapshot }, { signal }));
    return context.show(shown, snapshotText(shown));
  }
  const path = `/x/monitors/${id}/snapshots/${snapshot}/content${typeof part === 'string' ? `?part=${part}` : ''}`;
  const bytes = await download(context, await orTry(list, client.transport.send({ method: 'GET', path, signal })), output);
  if (output !== undefined) context.show({ file: output, bytes }, `Wrote ${bytes} bytes to ${output}.`);
};

function snapshotsTable(snapshots: readonly Snapshot[]): string {
  const rows = snapshots.map(({ id, run_id: runId, created_at: at, parts }) => [
    String(id),
    minuteText(at),
    String(runId),
    parts.map(({ part, bytes }) => `${part} (${bytes})`).join(', '),
  ]);
  return table(['SNAPSHOT', 'AT (UTC)', 'RUN', 'PARTS (BYTES)'], rows);
}

function snapshotText({ id, run_id: runId, url, created_at: at, parts, values }: SnapshotWithValues): string {
  const facts = pairs([
    ['snapshot', id],
    ['of run', runId],
    ['at', at],
    ['page', url],
    ['parts', parts.map(({ part, content_type: type, bytes }) => `${part}: ${type}, ${bytes} bytes`).join('; ')],
  ]);
  return [facts, '', ...valueLines(values)].join('\n');
}
