// What becomes of a trigger while runs of its automation go on, as Home Assistant's automation modes have it.
import type { AutomationMode } from '@weft/contract';

/** Automations that make each other act do so this often; the next is refused. */
export const DEPTH_MAX = 5;

/** What is known when an automation is set off. */
export interface Occasion {
  readonly mode: AutomationMode;
  /** Live runs at most; of `queued` and `parallel`. */
  readonly max: number;
  /** Its live runs. */
  readonly live: readonly number[];
  /** How many automations led here, this one among them: 1 where none did. */
  readonly depth: number;
}

/** `begin` makes a run, `restart` after it has cancelled the live ones; `refuse` makes one that says why it does nothing. */
export type Admission = { readonly kind: 'begin' | 'restart' } | { readonly kind: 'refuse'; readonly reason: string };

/** What becomes of a trigger. */
export function admitRun({ mode, max, live, depth }: Occasion): Admission {
  if (depth > DEPTH_MAX)
    return { kind: 'refuse', reason: `Automations have made each other act ${DEPTH_MAX} times in a row, and may not more often.` };
  const [first] = live;
  if (first === undefined) return { kind: 'begin' };
  if (mode === 'restart') return { kind: 'restart' };
  if (mode === 'single') return { kind: 'refuse', reason: `Run ${first} still goes on, and the mode is single.` };
  if (live.length < max) return { kind: 'begin' };
  return { kind: 'refuse', reason: `${live.length} runs are live, the mode is ${mode}, and at most ${max} may be.` };
}
