// weft workflow guards <workflow> [--forget]
import { listPage } from '../../list-page.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const page = listPage(context, options);
  const client = await context.client();
  const { signal } = context;
  const { id, slug } = await findWorkflow(client, ref, signal);
  if (options['forget'] === true) {
    await client.workflows.forgetGuards({ id }, { signal });
    context.show({ id, slug, forgotten: true }, `The next good run of ${slug} is learned from anew.`);
    return;
  }
  const data = page.cut((await client.workflows.guards({ id }, page.call)).data);
  const rows = data.map(({ step_id: step, run_id: runId, elements, pages, shape }) => [
    step,
    String(runId),
    [
      ...elements.map(({ tag, name }) => (name === undefined ? `<${tag}>` : `<${tag}> "${name}"`)),
      ...pages.map(({ status, host, words }) => `${status} ${host} ${words.join(' ')}`.trim()),
      ...Object.entries(shape.counts).map(([path, count]) => `${count} ${path === '' ? 'rows' : path}`),
      ...Object.entries(shape.fields).map(([path, { filled, rows: of }]) => `${path} ${filled}/${of}`),
    ].join(', '),
  ]);
  context.show({ data, count: data.length }, table(['STEP', 'RUN', 'SAW'], rows));
  page.tell(data.length);
};
