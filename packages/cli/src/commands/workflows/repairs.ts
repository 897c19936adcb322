// weft workflow repairs <workflow> [--accept <step> | --dismiss <step>]
import { listPage } from '../../list-page.ts';
import { orTry } from '../../or-try.ts';
import type { CommandRun } from '../../spec.ts';
import { table } from '../../table.ts';
import { findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const { signal } = context;
  const { id, slug } = await findWorkflow(client, ref, signal);
  const next = `weft workflow repairs ${slug}`;
  const { accept, dismiss } = options;
  if (typeof accept === 'string') {
    const changed = await orTry(next, client.workflows.acceptRepair({ id, step: accept }, { signal }));
    return context.show(changed, `${slug} is at revision ${changed.revision}, with ${accept} as proposed.`);
  }
  if (typeof dismiss === 'string') {
    await orTry(next, client.workflows.dismissRepair({ id, step: dismiss }, { signal }));
    return context.show({ id, slug, dismissed: dismiss }, `${dismiss} stays as it is.`);
  }
  const data = page.cut((await client.workflows.repairs({ id }, page.call)).data);
  const rows = data.map(({ step_id: step, run_id: runId, step: healed, score, evidence }) => [
    step,
    String(runId),
    score.toFixed(2),
    'selectors' in healed ? JSON.stringify(healed.selectors?.[0]) : '',
    evidence.join(', '),
  ]);
  context.show({ data, count: data.length }, table(['STEP', 'RUN', 'SURE', 'WOULD FIND IT BY', 'BECAUSE OF'], rows));
  page.tell(data.length);
};
