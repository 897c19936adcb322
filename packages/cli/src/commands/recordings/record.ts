// weft record <url>
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Recording, Workflow } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import { pairs } from '../../table.ts';
import { findPersona } from '../personas/refs.ts';
import { runLine } from '../workflows/inputs.ts';
import { sayMissingPersona } from '../workflows/persona-hint.ts';

const LOOK_MS = 500;

export const run: CommandRun = async (context, [url = ''], options) => {
  const client = await context.client();
  const { name, persona, window } = options;
  const begun = await client.recordings.create(
    {
      url,
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof persona === 'string' ? { persona_id: await findPersona(context, persona) } : {}),
      ...(typeof window === 'boolean' ? { window } : {}),
    },
    { signal: context.signal },
  );
  try {
    const ended = await follow(context, client, begun.id);
    return await show(context, client, ended);
  } catch (error) {
    // A recording without its command would hold a browser that nobody sees.
    if (context.signal.aborted) await client.recordings.discard({ id: begun.id }).catch(() => undefined);
    throw error;
  }
};

/** Says each step as it is recorded, until the recording has ended: on its page, or by Enter in this terminal. */
async function follow(context: CommandContext, client: AgentClient, id: number): Promise<Recording> {
  const { signal } = context;
  const stop = new AbortController();
  let told = 0;
  let isOpen = false;
  try {
    for (;;) {
      const recording = await client.recordings.read({ id }, { signal });
      for (const step of recording.steps.slice(told)) context.say(`weft: ${step.id} ${step.type}`);
      told = recording.steps.length;
      if (recording.status === 'recording' && !isOpen) {
        isOpen = true;
        await invite(context, client, recording);
        void finishByEnter(client, id, AbortSignal.any([signal, stop.signal]));
      }
      if (recording.status !== 'opening' && recording.status !== 'recording') return recording;
      await pause(LOOK_MS, undefined, { signal });
    }
  } finally {
    stop.abort();
  }
}

async function invite(context: CommandContext, client: AgentClient, { id, window }: Recording): Promise<void> {
  const end = process.stdin.isTTY === true ? ', then press Enter here' : '';
  if (window) return context.say(`weft: recording in the window that has opened: do what the workflow is to do${end}.`);
  const { url } = await client.recordings.screen({ id }, { signal: context.signal });
  context.say(
    `weft: open this page in a browser of this machine within five minutes, do there what the workflow is to do, then click Done:`,
  );
  context.say(url);
}

/** Where a person types. */
async function finishByEnter(client: AgentClient, id: number, signal: AbortSignal): Promise<void> {
  if (process.stdin.isTTY !== true) return;
  const lines = createInterface({ input: process.stdin });
  try {
    await lines.question('', { signal });
    // Where it has ended meanwhile, that is told already.
    await client.recordings.finish({ id }, { signal }).catch(() => undefined);
  } catch {
    // The command has ended first.
  } finally {
    lines.close();
  }
}

async function show(context: CommandContext, client: AgentClient, recording: Recording): Promise<number> {
  const { workflow_id: workflowId, status, message } = recording;
  if (workflowId === undefined) {
    if (status === 'failed')
      throw new CommandError(message ?? 'The recording failed.', { exitCode: EXIT.failed, code: 'internal', next: ['weft doctor'] });
    context.show(recording, `Nothing was kept: ${message ?? 'the recording was discarded.'}`);
    return EXIT.failed;
  }
  const workflow = await client.workflows.read({ id: workflowId }, { signal: context.signal });
  const words = recording.left_out.map((left) => `left out: ${left.message} (${left.path})`);
  context.show({ ...recording, workflow }, [wordsOf(workflow), ...words].join('\n'));
  sayMissingPersona(context, workflow);
  return EXIT.done;
}

/** Names of inputs only: what was typed may be nobody's business. */
function wordsOf({ slug, id, steps, inputs }: Workflow): string {
  const names = Object.keys((inputs?.['properties'] ?? {}) as object);
  return pairs([
    ['slug', slug],
    ['id', id],
    ['steps', steps.length],
    ['inputs', names.length === 0 ? 'none' : names.join(', ')],
    ['run it', runLine({ slug, inputs })],
  ]);
}
