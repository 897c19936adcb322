// weft vault init: the first passphrase.
import { CommandError, EXIT } from '../../exit.ts';
import { secretInput } from '../../secret-input.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const { passphrase: isSet } = await client.vault.status({}, { signal: context.signal });
  if (isSet)
    throw new CommandError('The vault has a passphrase already.', {
      exitCode: EXIT.conflict,
      code: 'conflict',
      next: ['weft vault passwd'],
    });
  const new_passphrase = await secretInput(context.say, context.signal).fresh('new passphrase');
  const status = await client.vault.unlock({ new_passphrase }, { signal: context.signal });
  context.show(status, 'From now on this passphrase opens the vault, and nothing else does. Nobody can recover it.');
};
