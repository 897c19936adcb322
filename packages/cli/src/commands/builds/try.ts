// weft api try <build> <function>
import { EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { inputsOf } from '../workflows/inputs.ts';
import { newestOf } from './follow.ts';

export const run: CommandRun = async (context, [id = '', name = ''], options) => {
  const client = await context.client();
  const { signal } = context;
  const { build_id: newest, functions = [] } = await newestOf(client, id, signal);
  const inputs = inputsOf(options['input'], { inputs: functions.find((each) => each.name === name)?.inputs });
  const tried = await client.builds.try({ id: newest, name, inputs }, { signal });
  context.show(tried, tried.data.map((row) => JSON.stringify(row)).join('\n'));
  if (!tried.failure) return EXIT.done;
  context.say(`weft: ${tried.failure.message}\nCause: ${tried.failure.code}`);
  return EXIT.failed;
};
