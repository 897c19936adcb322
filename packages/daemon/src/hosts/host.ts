// Hosts that asked to be left alone, in the words of the interface; what they asked for is the gate's.
import type { RestingHost } from '@weft/contract';
import { AppError } from '@weft/contract';
import type { CrawlClock, MemoryHostGate } from '@weft/engine';
import { toInstant } from '@weft/serve';

export interface Hosts {
  /** The hosts that want to be left alone now, the one that is back last first. */
  list(): RestingHost[];
  /** Lets the host of `url` be asked again at once; its name. Throws AppError `not_found` where it did not want to be left alone. */
  askAgain(url: string): string;
}

type Resting = ReturnType<MemoryHostGate['resting']>[number];

export function createHosts(gate: Pick<MemoryHostGate, 'resting' | 'askAgain'>, clock: CrawlClock): Hosts {
  const instantOf = (steadyMs: number) => toInstant(clock.now() + Math.round(steadyMs - clock.steadyMs()));
  return {
    list: () =>
      gate.resting().map((resting) => ({
        host: resting.host,
        until: instantOf(resting.untilMs),
        ...(resting.sinceMs === undefined ? {} : { since: instantOf(resting.sinceMs) }),
        ...(resting.refusal?.status === undefined ? {} : { status: resting.refusal.status }),
        named: resting.refusal?.isNamed === true,
        refusals: resting.refusals,
        says: sentenceOf(resting),
      })),
    askAgain(url) {
      const host = new URL(url).origin;
      if (gate.askAgain(host)) return host;
      throw new AppError('not_found', `${host} has not asked to be left alone; it is asked whenever something wants a page of it.`);
    },
  };
}

function sentenceOf({ refusal, refusals }: Resting): string {
  const times = refusals > 1 ? `, ${refusals} times in a row` : '';
  if (refusal?.status === undefined) return `It said when to come back${times}.`;
  return `It answered ${refusal.status}${times}, and ${refusal.isNamed ? 'named the time itself' : 'no time: this one is ours, and doubles each time'}.`;
}
