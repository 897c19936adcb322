// weft persona totp <persona>: a seed is looked at before it is kept.
import { CommandError, EXIT } from '../../exit.ts';
import { orTry } from '../../or-try.ts';
import { secretInput } from '../../secret-input.ts';
import type { CommandRun } from '../../spec.ts';
import { findPersona } from './refs.ts';

export const run: CommandRun = async (context, [text = ''], options) => {
  const id = await findPersona(context, text);
  const totp_seed = await secretInput(context.say, context.signal).value('TOTP seed');
  const client = await context.client();
  const report = await client.personas.validateTotp({ totp_seed }, { signal: context.signal });
  if (!report.valid)
    throw new CommandError(`This is no TOTP seed: ${report.message ?? report.reason ?? ''}`, { exitCode: EXIT.usage, code: 'bad_request' });
  if (options['check'] !== true) await orTry('weft persona list', client.personas.update({ id, totp_seed }, { signal: context.signal }));
  const kind = `${report.algorithm}, ${report.digits} digits, ${report.period} seconds${report.issuer ? `, of ${report.issuer}` : ''}`;
  context.show(report, `${options['check'] === true ? 'A seed' : `Persona ${id} has a seed`}: ${kind}.`);
};
