// weft notify mute <id>
import { CommandError, EXIT } from '../../exit.ts';
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { channelId } from './ids.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

export const run: CommandRun = async (context, [text = ''], options) => {
  const id = channelId(text);
  const isOff = options['off'] === true;
  const until = isOff ? null : new Date(Date.now() + durationMs(String(options['for'] ?? '1h'))).toISOString();
  const client = await context.client();
  const channel = await orTry('weft notify list', client.notices.muteChannel({ id, until }, { signal: context.signal }));
  context.show(channel, isOff ? `Channel ${id} speaks again.` : `Channel ${id} is silent until ${channel.muted_until ?? until}.`);
};

function durationMs(text: string): number {
  const parts = /^(\d{1,5})([mhd])$/.exec(text);
  if (parts && Number(parts[1]) > 0) return Number(parts[1]) * (UNIT_MS[parts[2] ?? ''] ?? 0);
  throw new CommandError(`--for is "${text}"; it must be a time such as 30m, 8h or 2d.`, { exitCode: EXIT.usage, code: 'bad_request' });
}
