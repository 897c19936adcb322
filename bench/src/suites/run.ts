// Runs of workflows: steps in a browser, real pages by HTTP, events on their way to who listens, and loops that go on for long.
import type { BenchRow } from '../row.ts';
import { benchEvents } from '../workflow/events.ts';
import { benchLoops } from '../workflow/loops.ts';
import { benchPages } from '../workflow/pages.ts';
import { benchSteps } from '../workflow/steps.ts';

export const isSlow = true;

/** One part after the other. */
export async function bench(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const part of [benchSteps, benchPages, benchEvents, benchLoops]) rows.push(...(await part()));
  return rows;
}
