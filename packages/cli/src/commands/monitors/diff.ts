// weft monitor diff <monitor>: how what it saw differs from what it saw before.
import { download, outputOf } from '../../download.ts';
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';
import { findMonitor, findValue } from './refs.ts';
import { usage } from './words.ts';

const OF_SNAPSHOTS = ['from', 'to', 'part', 'value'] as const;

export const run: CommandRun = async (context, [ref], options) => {
  const { change, as, render } = options;
  const foreign = OF_SNAPSHOTS.find((name) => options[name] !== undefined);
  if ((ref === undefined) === (change === undefined)) throw refusal('Give a monitor, or a --change.');
  if (change !== undefined && foreign !== undefined)
    throw refusal(`--${foreign} chooses among snapshots; a --change is compared as it is.`);
  const output = await outputOf(options);
  const client = await context.client();
  const { signal } = context;
  const query = new URLSearchParams();
  if (typeof as === 'string') query.set('as', as);
  if (!context.isJson) query.set('render', typeof render === 'string' ? render : 'text');
  let path = `/x/monitors/changes/${typeof change === 'string' ? parseRowId(change, 'change', 'weft monitor changes') : ''}/diff`;
  let next = 'weft monitor changes';
  if (ref !== undefined) {
    const monitor = await findMonitor(client, ref, signal);
    next = `weft monitor snapshots ${monitor.id}`;
    for (const name of ['from', 'to'] as const) {
      const snapshot = options[name];
      if (typeof snapshot === 'string') query.set(name, String(parseRowId(snapshot, 'snapshot', next)));
    }
    if (typeof options['part'] === 'string') query.set('part', options['part']);
    if (typeof options['value'] === 'string')
      for (const [name, id] of Object.entries(findValue(monitor, options['value']))) query.set(name, String(id));
    path = `/x/monitors/${monitor.id}/diff`;
  }
  const response = await orTry(next, client.transport.send({ method: 'GET', path: `${path}?${query}`, signal }));
  const bytes = await download(context, response, output);
  if (output !== undefined) context.show({ file: output, bytes }, `Wrote ${bytes} bytes to ${output}.`);
};

function refusal(message: string) {
  return usage(message, 'weft monitor diff --help');
}
