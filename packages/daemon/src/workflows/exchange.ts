// Recordings of other programs as workflows, and workflows as such recordings.
import { AppError, NewWorkflow } from '@weft/contract';
import type { ExtraTable, RecordingFormat, Workflow } from '@weft/contract';
import { ExchangeError, exportDevTools, importDevTools, importHar } from '@weft/engine';
import type { ImportedWorkflow } from '@weft/engine';
import type { GroupHandlers } from '@weft/serve';
import type { Workflows } from './workflow.ts';

type Exchange = Pick<ExtraTable['workflows'], 'import' | 'export'>;

const READERS: Readonly<Record<RecordingFormat, (text: string) => ImportedWorkflow>> = { devtools: importDevTools, har: importHar };

export function exchangeHandlers({ workflows }: { readonly workflows: Workflows }): GroupHandlers<Exchange> {
  return {
    import: ({ body }) => {
      const { workflow, leftOut } = readRecording(body.format, body.content);
      return { status: 200, body: { workflow, left_out: [...leftOut] } };
    },
    export: ({ params }) => ({ status: 200, body: writeRecording(workflows.require(String(params.id))) }),
  };
}

/** Throws AppError `bad_request`. A file may say of itself that it is one of ours, and hold something else. */
function readRecording(format: RecordingFormat, content: string): ImportedWorkflow {
  try {
    const { workflow, leftOut } = READERS[format](content);
    const checked = NewWorkflow.safeParse(workflow);
    if (checked.success) return { workflow: checked.data, leftOut };
    const [issue] = checked.error.issues;
    throw new ExchangeError(
      `The file holds a workflow whose ${issue?.path.join('.') ?? 'steps'} is wrong: ${issue?.message ?? 'it is no step'}.`,
    );
  } catch (error) {
    if (error instanceof ExchangeError) throw new AppError('bad_request', error.message);
    throw error;
  }
}

function writeRecording(workflow: Workflow): { title: string; steps: Record<string, unknown>[] } {
  const {
    id: _id,
    revision: _revision,
    dataset_id: _dataset,
    last_run: _run,
    created_at: _made,
    updated_at: _changed,
    slug: _slug,
    ...kept
  } = workflow;
  // What the writer made is a title and steps.
  return JSON.parse(exportDevTools(kept)) as ReturnType<typeof writeRecording>;
}
