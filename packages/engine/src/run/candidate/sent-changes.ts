// Looks at what the pages of a run sent besides questions: a run that may have changed something is neither made again nor shadowed.
import type { RunEnd, RunPlan } from '../plan.ts';
import { doubtOf, isSafeMethod } from './only-asks.ts';

/**
 * Why a run in a browser may have changed something besides logging in, to stand behind what ran; undefined for one that only asked. What is
 * not known whole counts: an answer that was no JSON, or one of too many.
 */
export function changeOf(plan: Pick<RunPlan, 'steps'>, end: Pick<RunEnd, 'trace' | 'writes' | 'asked'>): string | undefined {
  return writesBesideLogins(plan, end) === 0 ? undefined : sendingOf(end);
}

/** Why a run may have sent something that changes something, logins included; undefined where each such request is known to have only asked. */
export function sendingOf({ writes, asked }: Pick<RunEnd, 'writes' | 'asked'>): string | undefined {
  const sent = (asked?.requests ?? []).filter(({ method }) => !isSafeMethod(method));
  const doubts = sent.map((request) => ({ request, doubt: doubtOf(request) }));
  if (writes <= doubts.filter(({ doubt }) => doubt === undefined).length) return undefined;
  const told = doubts.find(({ doubt }) => doubt !== undefined);
  if (!told) return 'sent something that may change something, and was answered with no JSON';
  const { origin, pathname } = new URL(told.request.url);
  return `sent ${told.request.method} ${`${origin}${pathname}`.slice(0, 200)}, and ${told.doubt}`;
}

/** A session that was opened anew counts anew. */
function writesBesideLogins({ steps }: Pick<RunPlan, 'steps'>, { trace, writes }: Pick<RunEnd, 'trace' | 'writes'>): number {
  const logins = new Set(steps.filter(({ type }) => type === 'login').map(({ id }) => id));
  let sum = trace[0]?.writes ?? writes;
  for (const [place, { id, writes: before }] of trace.entries()) {
    const then = trace[place + 1]?.writes ?? writes;
    if (!logins.has(id)) sum += then < before ? then : then - before;
  }
  return sum;
}
