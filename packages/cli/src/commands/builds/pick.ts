// weft api pick <build> <candidate...>
import type { PickDraft } from '@weft/contract';
import { CommandError, EXIT } from '../../exit.ts';
import { readJsonFile } from '../../json-file.ts';
import type { CommandRun } from '../../spec.ts';
import { followBuild, newestOf } from './follow.ts';

export const run: CommandRun = async (context, [id = '', ...candidates], options) => {
  const { draft } = options;
  if (typeof draft !== 'string' && candidates.length === 0)
    throw new CommandError(`Name what is to be picked: weft api show ${id} --evidence has the ids.`, {
      exitCode: EXIT.usage,
      code: 'bad_request',
    });
  const given = typeof draft === 'string' ? await readJsonFile(draft) : { functions: candidates.map((candidate_id) => ({ candidate_id })) };
  // What is wrong in a file is told by the agent, member by member.
  const body = given as unknown as PickDraft;
  const client = await context.client();
  const { build_id: newest } = await newestOf(client, id, context.signal);
  const begun = await client.builds.draft({ id: newest, ...body }, { signal: context.signal });
  return await followBuild(context, client, begun, false);
};
