// Asks a host that has answered before whether it still does: one that does shows that the machine is not offline.
import type { AskingPorts } from '../crawl/hosts/paced-fetcher.ts';
import { isUnreached } from './network.ts';
import type { AnsweringHost } from './network.ts';

/** A host whose turn comes later is not waited for to learn whether there is a network. */
const WITNESS_MS = 10_000;

/** Whether a host answers now, whatever it says: it is asked for the one file that every host may be asked for. */
export async function isReached(
  { origin, privateTargets }: AnsweringHost,
  { robotsFor, clock }: Pick<AskingPorts, 'robotsFor' | 'clock'>,
  signal: AbortSignal,
): Promise<boolean> {
  const nowMs = clock.steadyMs();
  const limits = { inFlightMax: 2, gapMs: 0, untilMs: nowMs + WITNESS_MS };
  const { unasked, unread } = await robotsFor(privateTargets).rulesFor(origin, signal, limits, nowMs);
  return !isUnreached(unasked?.code ?? unread?.code);
}
