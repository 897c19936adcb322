// weft monitor check <monitor|all>: checks now, and says what came of it.
import type { Monitor } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { EXIT } from '../../exit.ts';
import { wholeNumber } from '../../number-option.ts';
import type { CommandRun } from '../../spec.ts';
import { findMonitor } from './refs.ts';
import { waitForCheck } from './run-check.ts';
import type { Checked } from './run-check.ts';
import { checkText } from './words.ts';

const TIMEOUT_SECONDS = 120;

export const run: CommandRun = async (context, [ref = ''], options) => {
  const timeout = wholeNumber(options, 'timeout', 1, 86_400) ?? TIMEOUT_SECONDS;
  const client = await context.client();
  const { signal } = context;
  const isAll = ref === 'all';
  const monitors = isAll ? await client.monitors.list({ active: true }, { signal }) : [await findMonitor(client, ref, signal)];
  const isLong = options['verbose'] === true;
  const checked: Checked[] = [];
  for await (const [monitor, one] of checkEach(context, client, monitors, timeout)) {
    checked.push(one);
    if (!context.isJson) context.print(checkText(monitor.name, one.run, one.check, isLong));
  }
  const checks = checked.flatMap(({ check }) => check ?? []);
  if (context.isJson) context.print(JSON.stringify(isAll ? checks : (checks[0] ?? checked[0]?.run), null, 2));
  if (isAll && monitors.length === 0) context.say('weft: no monitor is active\nTry:   weft monitor list');
  if (options['exitCode'] === true && checks.some(({ changes }) => changes.length > 0)) return EXIT.changed;
  return checked.some(({ run: { status } }) => status !== 'succeeded') ? EXIT.failed : EXIT.done;
};

/** Begins all of them, then gives each as it is settled, in their order. */
async function* checkEach(
  context: CommandContext,
  client: AgentClient,
  monitors: readonly Monitor[],
  timeout: number,
): AsyncGenerator<readonly [Monitor, Checked]> {
  const begun: (readonly [Monitor, number])[] = [];
  for (const monitor of monitors) begun.push([monitor, (await client.monitors.run({ id: monitor.id }, { signal: context.signal })).id]);
  for (const [monitor, runId] of begun) yield [monitor, await waitForCheck(context, client, runId, timeout)];
}
