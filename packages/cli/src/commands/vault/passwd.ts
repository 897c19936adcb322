// weft vault passwd
import { CommandError, EXIT } from '../../exit.ts';
import { secretInput } from '../../secret-input.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const { passphrase: isSet } = await client.vault.status({}, { signal: context.signal });
  if (!isSet)
    throw new CommandError('The vault has no passphrase yet.', { exitCode: EXIT.conflict, code: 'conflict', next: ['weft vault init'] });
  const input = secretInput(context.say, context.signal);
  const given = input.isTerminal
    ? { passphrase: await input.value('passphrase'), new_passphrase: await input.fresh('new passphrase') }
    : await input.values(['passphrase', 'new_passphrase']);
  const status = await client.vault.unlock(given, { signal: context.signal });
  context.show(status, 'The passphrase is changed.');
};
