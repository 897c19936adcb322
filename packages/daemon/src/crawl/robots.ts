// Robots rules that all crawls share: a host is asked for its file once, whoever wants to know.
import { RobotsCache } from '@weft/engine';
import type { CrawlClock, Fetcher, HostGate, RobotsSource } from '@weft/engine';

/** Sets of private addresses that are remembered; the oldest goes first. */
const SOURCES_MAX = 100;

export interface RobotsPorts {
  readonly fetcher: Fetcher;
  readonly clock: CrawlClock;
  readonly gate: HostGate;
  /** Product token that robots groups are chosen by. */
  readonly agent: string;
}

/** Rules for callers that named these private addresses. A file that was reached by one name is not shown under another. */
export function createRobotsSources(ports: RobotsPorts): (privateTargets: readonly string[]) => RobotsSource {
  const { fetcher, clock } = ports;
  const sources = new Map<string, RobotsSource>();
  return (privateTargets) => {
    const key = privateTargets.join(' ');
    const source = sources.get(key) ?? new RobotsCache(fetcher, clock, privateTargets, ports);
    sources.delete(key);
    sources.set(key, source);
    const [oldest] = sources.keys();
    if (sources.size > SOURCES_MAX && oldest !== undefined) sources.delete(oldest);
    return source;
  };
}
