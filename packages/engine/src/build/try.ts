// One call of a function that a build has made, as a published workflow's run would make it.
import type { NewWorkflow } from '@weft/contract';
import type { Row } from '../run/reading/rows.ts';
import { callSteps } from './asking/call-steps.ts';
import { SiteAsking } from './asking/site-asking.ts';
import type { BuildOptions } from './options.ts';
import type { BuildPorts } from './ports.ts';

/** What the call gave. */
export interface Tried {
  readonly rows: readonly Row[];
  readonly failure?: { readonly code: string; readonly message: string };
}

/** A call may follow so many further pages. */
const REQUESTS_MAX = 30;

/** Calls `workflow`, a function of a build with `options`, with inputs that its schema holds for. Throws PageError `aborted`. */
export async function tryFunction(
  { steps, lane }: Pick<NewWorkflow, 'steps' | 'lane'>,
  inputs: Readonly<Record<string, unknown>>,
  options: BuildOptions,
  ports: BuildPorts,
  signal: AbortSignal,
): Promise<Tried> {
  const asking = new SiteAsking(options, ports, { requestsMax: REQUESTS_MAX, price: 0 });
  const { rows, failure } = await callSteps({ steps, lane: lane === 'browser' ? 'browser' : 'http' }, inputs, asking, signal);
  return { rows, ...(failure ? { failure } : {}) };
}
