// weft vault status
import type { CommandRun } from '../../spec.ts';
import { vaultWords } from './words.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const status = await client.vault.status({}, { signal: context.signal });
  context.show(status, vaultWords(status));
};
