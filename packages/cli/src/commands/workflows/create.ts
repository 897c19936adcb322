// weft workflow create <file>
import { readJsonFile } from '../../json-file.ts';
import type { NewWorkflow } from '@weft/contract';
import { pairs } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { runLine } from './inputs.ts';
import { bodyOf } from './refs.ts';

export const run: CommandRun = async (context, [path = '']) => {
  const body = bodyOf(await readJsonFile(path));
  const client = await context.client();
  // The agent checks each member; its refusal names the one that is wrong.
  const made = await client.workflows.create(body as unknown as NewWorkflow, { signal: context.signal });
  context.show(
    made,
    pairs([
      ['slug', made.slug],
      ['id', made.id],
      ['run it', runLine(made)],
    ]),
  );
};
