// weft api watch <build>
import { requireDuration } from '../../duration.ts';
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { newestOf } from './follow.ts';
import { wordsOfHealth } from './health-words.ts';

const HOUR_SECONDS = 3600;

export const run: CommandRun = async (context, [id = ''], options) => {
  const checkHours = hoursOf(options['every'], options['off'] === true);
  const client = await context.client();
  const { signal } = context;
  const { build_id: newest } = await newestOf(client, id, signal);
  const { health } = await client.builds.update({ id: newest, check_hours: checkHours }, { signal });
  context.show(health ?? {}, health ? wordsOfHealth(health) : 'Nothing of it is proved, so nothing is proved again.');
};

/** Null for never. Throws CommandError. */
function hoursOf(every: unknown, isOff: boolean): number | null {
  const hours = typeof every === 'string' ? requireDuration(every, '--every') / HOUR_SECONDS : undefined;
  if (isOff && hours === undefined) return null;
  if (!isOff && hours !== undefined && Number.isInteger(hours) && hours >= 1) return hours;
  const message = isOff
    ? '--off and --every exclude each other.'
    : `--every is "${String(every ?? '')}"; it must be whole hours, such as 6h or 1d.`;
  throw new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request' });
}
