// weft vault lock
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const client = await context.client();
  const status = await client.vault.lock({}, { signal: context.signal });
  context.show(
    status,
    status.passphrase ? 'The vault is locked.' : 'The vault is locked until `weft vault unlock`, or the next start of the agent.',
  );
};
