// How a monitor or a tag is set on the command line: options as members of its body. The agent checks each.
import type { NewMonitorTag } from '@weft/contract';
import type { CommandContext } from '../../context.ts';
import { requireDuration } from '../../duration.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { wholeNumber } from '../../number-option.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';
import type { OptionSpec } from '../../words.ts';

import { findPersona } from '../personas/refs.ts';

export type CommandOptions = Parameters<CommandRun>[2];

/** As the contract bounds it. */
const CONFIRM_MAX = 20;

/** Options of monitors and tags alike. */
export const SETTINGS: readonly OptionSpec[] = [
  { flags: '--every <time>', summary: 'how often: 90s, 15m, 2h, 1d; an hour unless said' },
  { flags: '--cron <expression>', summary: 'or when, as in crontab: minute hour day month weekday' },
  { flags: '--browser', summary: 'always in a browser; by itself only where a page needs one' },
  { flags: '--ignore-robots', summary: 'check what robots.txt forbids; only for a site that is yours' },
  { flags: '--ignore <text>', summary: 'lines with this count for nothing; /pattern/i for RE2; repeatable', repeats: true },
  { flags: '--trigger <text>', summary: 'tell nothing until this is there; repeatable', repeats: true },
  { flags: '--confirm <times>', summary: 'tell a change only once so many checks in a row saw it; 1 unless said' },
  { flags: '--channel <id>', summary: 'whom to tell: a channel of weft notify; repeatable', repeats: true },
];

/** The lines of an option that repeats. */
export function linesOf(value: CommandOptions[string]): readonly string[] | undefined {
  return typeof value === 'string' ? value.split('\n') : undefined;
}

/** What `SETTINGS` say; empty where none is given. Throws CommandError. */
export function settingsOf(options: CommandOptions): Omit<NewMonitorTag, 'name'> {
  const { every, cron, browser, ignoreRobots } = options;
  const [ignore, trigger, channels] = [linesOf(options['ignore']), linesOf(options['trigger']), linesOf(options['channel'])];
  const schedule = {
    ...(typeof every === 'string' ? { every: requireDuration(every, '--every') } : {}),
    ...(typeof cron === 'string' ? { cron } : {}),
  };
  const times = wholeNumber(options, 'confirm', 1, CONFIRM_MAX);
  const filter = { ...(ignore ? { ignore: [...ignore] } : {}), ...(trigger ? { trigger: [...trigger] } : {}) };
  return {
    ...(isEmpty(schedule) ? {} : { schedule }),
    ...(browser === true ? { lane: 'browser' } : {}),
    ...(ignoreRobots === true ? { respect_robots: false } : {}),
    ...(isEmpty(filter) ? {} : { filter }),
    ...(times === undefined ? {} : { confirm: { times } }),
    ...(channels ? { channels: channels.map((id) => parseRowId(id, 'channel', 'weft notify list')) } : {}),
  };
}

/** Of a monitor alone. */
export async function ownSettingsOf(context: CommandContext, options: CommandOptions) {
  const { name, persona } = options;
  const tags = linesOf(options['tag']);
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(tags ? { tags: [...tags] } : {}),
    ...(typeof persona === 'string' ? { persona_id: await findPersona(context, persona) } : {}),
    ...settingsOf(options),
  };
}

/** Members that go back to what they are when nobody says them, for a merge patch. */
export function unsetOf(options: CommandOptions): Readonly<Record<string, null>> {
  return Object.fromEntries((linesOf(options['unset']) ?? []).map((name) => [name.replaceAll('-', '_'), null]));
}

/** Throws CommandError where there is nothing to change. */
export function requireAny<Patch extends object>(patch: Patch, help: string): Patch {
  if (!isEmpty(patch)) return patch;
  throw new CommandError('Say what to change, such as --every 15m.', { exitCode: EXIT.usage, code: 'bad_request', next: [help] });
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
