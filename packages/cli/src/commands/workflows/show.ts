// weft workflow show <workflow>
import type { Step } from '@weft/contract';
import { parseRowId } from '../../row-id.ts';
import { orTry } from '../../or-try.ts';
import { pairs } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';
import { findWorkflow } from './refs.ts';

export const run: CommandRun = async (context, [ref = ''], options) => {
  const client = await context.client();
  const { signal } = context;
  const workflow = await findWorkflow(client, ref, signal);
  const { revision } = options;
  if (typeof revision === 'string') {
    const number = parseRowId(revision, 'revision');
    const old = await orTry(
      `weft workflow revisions ${ref}`,
      client.workflows.readRevision({ id: workflow.id, revision: number }, { signal }),
    );
    context.show(old, `${old.name}, revision ${old.revision}\n${linesOf(old.definition?.steps ?? []).join('\n')}`);
    return;
  }
  const candidate = await client.workflows.candidate({ id: workflow.id }, { signal });
  const facts: [string, string | number][] = [
    ['slug', workflow.slug],
    ['id', workflow.id],
    ['revision', workflow.revision],
    ['lane', workflow.lane],
    ...(candidate.updated_at === undefined ? [] : [['by http', `${candidate.status}: ${candidate.reason}`] as [string, string]]),
    ['inputs', inputsOf(workflow.inputs)],
    ['dataset', workflow.dataset_id],
    ['last run', workflow.last_run ? `${workflow.last_run.id} (${workflow.last_run.status})` : 'none'],
  ];
  context.show(
    { ...workflow, ...(candidate ? { candidate } : {}) },
    `${workflow.name}\n${pairs(facts)}\n\n${linesOf(workflow.steps).join('\n')}`,
  );
};

function inputsOf(inputs: Readonly<Record<string, unknown>> | undefined): string {
  const names = Object.keys((inputs?.['properties'] ?? {}) as object);
  return names.length === 0 ? 'none' : names.join(', ');
}

/** One line a step, what it holds below it. */
function linesOf(steps: readonly Step[], depth = 0): readonly string[] {
  return steps.flatMap((step) => {
    const line = `${'  '.repeat(depth)}${step.id}  ${step.type}${step.title === undefined ? '' : `  ${step.title}`}`;
    const held =
      step.type === 'if'
        ? [...step.branches.flatMap(({ body }) => body), ...(step.else ?? [])]
        : 'body' in step && Array.isArray(step.body)
          ? step.body
          : [];
    return [line, ...linesOf(held as readonly Step[], depth + 1)];
  });
}
