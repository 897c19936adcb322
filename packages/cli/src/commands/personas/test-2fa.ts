// weft persona test-2fa <persona>: how far a login comes.
import type { LoginTest } from '@weft/contract';
import { EXIT } from '../../exit.ts';
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { pairs } from '../../table.ts';
import { inputsOf } from '../workflows/inputs.ts';
import { findWorkflow } from '../workflows/refs.ts';
import { findPersona } from './refs.ts';

export const run: CommandRun = async (context, [text = ''], options) => {
  const id = await findPersona(context, text);
  const client = await context.client();
  const { signal } = context;
  const { workflow: ref, input } = options;
  const workflow = typeof ref === 'string' ? await findWorkflow(client, ref, signal) : undefined;
  const inputs = inputsOf(input, workflow ?? {});
  const asked = { id, inputs, ...(workflow ? { workflow_id: workflow.id } : {}) };
  const report = await orTry('weft persona list', client.personas.test2fa(asked, { signal }));
  context.show(report, words(report));
  if (report.failure)
    context.say(
      `weft: ${report.failure.message}\nCause: ${report.failure.code}${report.failure.step_id ? ` in step ${report.failure.step_id}` : ''}`,
    );
  return report.logged_in ? EXIT.done : EXIT.failed;
};

function words({ lane, steps, code_asked, code_sent, code_accepted, logged_in }: LoginTest): string {
  const code = code_accepted
    ? 'sent and accepted'
    : code_sent
      ? 'sent, and the login ended there'
      : code_asked
        ? 'asked for, and there was none'
        : 'not asked for';
  return pairs([
    ['Logged in', logged_in ? 'yes' : 'no'],
    ['Code', code],
    ['Lane', lane],
    ['Steps', steps.map(({ step_id, status }) => `${step_id} ${status}`).join(', ')],
  ]);
}
