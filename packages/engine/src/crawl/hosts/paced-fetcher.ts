// One way to ask hosts, for everything that fetches single pages: in their turn, as their robots.txt asks for (D32).
import { PageError } from '../../errors.ts';
import type { RobotsSource } from '../crawl-ports.ts';
import { fetchInTurn, notYet } from './host-turn.ts';
import type { HostTurnPorts } from './host-turn.ts';
import type { SharedRobots } from './robots-cache.ts';
import { ReachMemory, rememberReach } from './reach-memory.ts';

const PACE = { inFlightMax: 2, gapMs: 0 };
/** How long a caller who stays for the answer is let wait for hosts: longer than most of them ask for, and shorter than clients wait. */
export const STAY_MS = 60_000;

/** What asks hosts: shared by everything that does. */
export interface AskingPorts extends HostTurnPorts {
  /** Rules for callers that named these private addresses, asked for by way of a proxy where one is named. */
  readonly robotsFor: (privateTargets: readonly string[], proxy?: string) => RobotsSource;
  /** Product token that robots groups are chosen by. */
  readonly agent: string;
  /** Where processes that ask the same hosts look for the rules of public ones. */
  readonly shared?: SharedRobots;
}

/** What one caller asks hosts with. */
export interface AskingOfOne {
  readonly fetcher: HostTurnPorts['fetcher'];
  readonly robots: RobotsSource;
}

/**
 * The fetcher of `ports` behind the shared gate. Where a host says when to ask again, it is asked again then; it throws PageError
 * `rate_limited` where it can't be asked by `untilMs`, or wants to be left alone for long.
 */
export function pacedFetcher(ports: HostTurnPorts, untilMs?: number): HostTurnPorts['fetcher'] {
  const limits = { ...PACE, ...(untilMs === undefined ? {} : { untilMs }) };
  return {
    async fetch(request, signal) {
      const page = await fetchInTurn(ports, request, limits, signal);
      if (page) return page;
      if (signal.aborted) throw new PageError('aborted', 'The request was stopped before it began.', { url: request.url });
      throw await notYet(request.url, ports.gate, ports.clock);
    },
  };
}

/**
 * Fetcher and robots rules for one caller who stays for the answer: no turn is waited for that does not come within a minute from now.
 * `robotsSinceMs` is how old rules may be; a day unless said. A named host that was public is not asked at a private address by either.
 */
export function askForOneWhoStays(ports: AskingPorts, privateTargets: readonly string[], robotsSinceMs = 0): AskingOfOne {
  const untilMs = ports.clock.steadyMs() + STAY_MS;
  const source = ports.robotsFor(privateTargets);
  const robots: RobotsSource = {
    rulesFor: (host, signal, limits = PACE, _sinceMs, names) => source.rulesFor(host, signal, { ...limits, untilMs }, robotsSinceMs, names),
  };
  return rememberReach({ fetcher: pacedFetcher(ports, untilMs), robots }, privateTargets, new ReachMemory());
}
