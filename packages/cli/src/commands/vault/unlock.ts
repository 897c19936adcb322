// weft vault unlock
import { secretInput } from '../../secret-input.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const { passphrase: isNeeded } = await client.vault.status({}, { signal: context.signal });
  const input = secretInput(context.say, context.signal);
  const status = await client.vault.unlock(isNeeded ? { passphrase: await input.value('passphrase') } : {}, { signal: context.signal });
  context.show(status, 'The vault is open.');
};
