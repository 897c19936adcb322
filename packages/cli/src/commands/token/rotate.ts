// weft token rotate
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const rotated = await client.token.rotate({}, { signal: context.signal });
  context.say(`weft: the runtime token was replaced in ${rotated.file}; what the old one held open has ended.`);
  context.show(rotated, rotated.token);
};
