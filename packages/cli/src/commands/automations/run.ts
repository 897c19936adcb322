// weft automation run <id>
import { CommandError, EXIT } from '../../exit.ts';
import { orTry } from '../../or-try.ts';
import { parseRowId } from '../../row-id.ts';
import type { CommandRun } from '../../spec.ts';
import { showTrace } from './told.ts';

export const run: CommandRun = async (context, [text = ''], { payload, detach }) => {
  const id = parseRowId(text, 'automation');
  const client = await context.client();
  const { signal } = context;
  const given = typeof payload === 'string' ? { payload: parsePayload(payload) } : {};
  const begun = await orTry('weft automation list', client.automations.run({ id, ...given }, { signal }));
  if (detach === true) {
    context.show(begun, `run  ${begun.id} (${begun.status})`);
    return EXIT.done;
  }
  await client.waitForRun(begun.id, { signal });
  return await showTrace(context, client, begun.id);
};

function parsePayload(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`--payload is no JSON: ${(error as Error).message}.`, { exitCode: EXIT.usage, code: 'bad_request' });
  }
}
