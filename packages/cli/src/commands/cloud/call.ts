// weft cloud call <slug/path>: one call of a published function.
import { createCloudClient, discoverCloud } from '@weft/client/node';
import { CommandError, EXIT } from '../../exit.ts';
import { valueFrom } from '../../send-options.ts';
import type { CommandRun } from '../../spec.ts';
import { inputsOf } from '../workflows/inputs.ts';

export const run: CommandRun = async (context, [place = ''], options) => {
  if (!/^[^/]+\/[^/]+$/.test(place))
    throw new CommandError(`"${place}" is no function; it must be slug/path.`, { exitCode: EXIT.usage, code: 'bad_request' });
  const { baseUrl } = await discoverCloud({ env: context.environment.variables });
  const consumerKey = await valueFrom(context, String(options['key']), 'consumer key');
  if (consumerKey === undefined)
    throw new CommandError(
      'A key would stand in the list of processes, which others can read; write --key env:VARIABLE, file:PATH or ask.',
      {
        exitCode: EXIT.usage,
        code: 'bad_request',
      },
    );
  const client = createCloudClient({ baseUrl, consumerKey });
  const answer = await client.call(place, inputsOf(options['input'], {}), { signal: context.signal });
  context.show(answer, JSON.stringify(answer.data, null, 2));
  if (answer.failure) context.say(`weft: ${answer.failure.message}\nCause: ${answer.failure.code}`);
  return answer.status === 'succeeded' ? EXIT.done : EXIT.failed;
};
