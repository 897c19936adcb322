// weft monitor add <url>: watches a page, and prints what it says now.
import { toUrl } from '../../address.ts';
import { EXIT } from '../../exit.ts';
import { wholeNumber } from '../../number-option.ts';
import type { CommandRun } from '../../spec.ts';
import { pairs } from '../../table.ts';
import { firstRun, waitForCheck } from './run-check.ts';
import { ownSettingsOf } from './settings.ts';
import { targetOf } from './target.ts';
import { scheduleText, valueLines } from './words.ts';

const TIMEOUT_SECONDS = 120;

export const run: CommandRun = async (context, [url = ''], options) => {
  const target = targetOf(options);
  const timeout = wholeNumber(options, 'timeout', 1, 86_400) ?? TIMEOUT_SECONDS;
  const body = { url: toUrl(url), ...(await ownSettingsOf(context, options)), ...(target ? { selectors: [target] } : {}) };
  const client = await context.client();
  const { signal } = context;
  const made = await client.monitors.create(body, { signal });
  const { id, name, schedule } = made;
  if (options['detach'] === true) {
    context.show(
      made,
      pairs([
        ['monitor', `${id}, ${name}`],
        ['checked', scheduleText(schedule)],
      ]),
    );
    return EXIT.done;
  }
  context.say(`weft: monitor ${id}, ${name}, is checked ${scheduleText(schedule)}`);
  const checked = await waitForCheck(context, client, await firstRun(client, id, signal), timeout);
  const { check, run: settled } = checked;
  const { failure } = settled;
  const values = check?.values ?? [];
  const matched = check?.trace.find(({ gate }) => gate === 'match')?.reasons ?? [];
  // What it failed for is said at the end.
  const isSaid = (reason: string) => reason.endsWith(': found 1.') || reason === failure?.message;
  for (const reason of matched.filter((each) => !isSaid(each))) context.say(`weft: ${reason}`);
  if (context.isJson || values.length > 0)
    context.show({ ...(await client.monitors.read({ id }, { signal })), ...(check ? { check } : {}) }, valueLines(values).join('\n'));
  if (!failure) return EXIT.done;
  context.say(
    `weft: ${failure.message}\nweft: monitor ${id} stays, and is checked on; \`weft monitor remove ${id}\` ends it\n` +
      `Cause: ${failure.code}\nTry:   weft monitor check ${id} -v`,
  );
  return EXIT.failed;
};
