// weft persona export <persona>
import { rename, rm, writeFile } from 'node:fs/promises';
import { outputOf } from '../../download.ts';
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { findPersona } from './refs.ts';

export const run: CommandRun = async (context, [text = ''], options) => {
  const id = await findPersona(context, text);
  const output = await outputOf(options);
  const client = await context.client();
  const state = await orTry('weft persona list', client.personas.exportStorageState({ id }, { signal: context.signal }));
  if (state.cookies.length + state.origins.length === 0)
    context.say(`weft: persona ${id} has no session yet; weft persona login makes one.`);
  const json = JSON.stringify(state, null, 2);
  if (output === undefined) context.print(json);
  else await writePrivate(output, `${json}\n`);
};

/** A new file that nobody else may read, in the place of what stands there. */
async function writePrivate(file: string, text: string): Promise<void> {
  const draft = `${file}.part`;
  try {
    await rm(draft, { force: true });
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
