// HTTP archives as workflows of requests: what a browser asked, with the values that came from earlier answers taken from these anew.
import type { NewWorkflow, Step } from '@weft/contract';
import type { ImportedWorkflow } from './devtools.ts';
import { readHar } from './har-entries.ts';
import { HarWriter } from './har-writer.ts';
import { ExchangeError } from './untrusted.ts';

const STEPS_MAX = 200;

/** The workflow of an archive. Throws ExchangeError for a file that is none, or that holds no request of use. */
export function importHar(text: string): ImportedWorkflow {
  const { title, entries, leftOut } = readHar(text);
  const writer = new HarWriter();
  for (const entry of entries) writer.add(entry);
  const [first] = entries;
  if (!first || writer.steps.length === 0) throw new ExchangeError('The archive holds no request that a run would need.');
  const name = (title?.trim() || first.url.host).slice(0, 200);
  // Every draft has the members of its type.
  const steps = writer.finish() as unknown as readonly Step[];
  const workflow: NewWorkflow = { name, steps: steps.slice(0, STEPS_MAX) };
  const cut =
    steps.length > STEPS_MAX ? [{ path: 'entries', message: `A workflow has at most ${STEPS_MAX} steps; the rest is left out.` }] : [];
  return { workflow, leftOut: [...leftOut, ...writer.leftOut, ...cut] };
}
