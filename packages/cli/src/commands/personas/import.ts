// weft persona import <persona> <file>
import { readJsonFile } from '../../json-file.ts';
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { findPersona } from './refs.ts';

export const run: CommandRun = async (context, [text = '', path = '']) => {
  const id = await findPersona(context, text);
  const file = await readJsonFile(path);
  const client = await context.client();
  // The agent checks the members; its refusal names the one that is wrong.
  const body = file as unknown as { cookies: Record<string, unknown>[]; origins: Record<string, unknown>[] };
  const brought = await orTry('weft persona list', client.personas.importStorageState({ id, ...body }, { signal: context.signal }));
  const left = brought.left_out.map(({ path: place, message }) => `left out: ${message} (${place})`);
  context.show(brought, [`Persona ${id} has a session, its version ${brought.session.version}.`, ...left].join('\n'));
};
