// Robots rules that all crawls share: a host is asked for its file once, whoever wants to know.
import { RobotsCache } from '@weft/engine';
import type { CrawlClock, Fetcher, RobotsSource } from '@weft/engine';

/** Sets of private addresses that are remembered; the oldest goes first. */
const SOURCES_MAX = 100;

/** Rules for callers that named these private addresses. A file that was reached by one name is not shown under another. */
export function createRobotsSources(fetcher: Fetcher, clock: CrawlClock): (privateTargets: readonly string[]) => RobotsSource {
  const sources = new Map<string, RobotsSource>();
  return (privateTargets) => {
    const key = privateTargets.join(' ');
    const source = sources.get(key) ?? new RobotsCache(fetcher, clock, privateTargets);
    sources.delete(key);
    sources.set(key, source);
    const [oldest] = sources.keys();
    if (sources.size > SOURCES_MAX && oldest !== undefined) sources.delete(oldest);
    return source;
  };
}
