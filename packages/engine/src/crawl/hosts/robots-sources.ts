// Robots rules that all crawls share: a host is asked for its file once, whoever wants to know.
import type { Fetcher } from '../../ports.ts';
import type { RobotsSource } from '../crawl-ports.ts';
import type { AskingPorts } from './paced-fetcher.ts';
import { BoundedMap } from '../bounded-map.ts';
import { RobotsCache } from './robots-cache.ts';

/** Sets of private addresses that are remembered. */
const SOURCES_MAX = 100;

/** Rules for callers that named these private addresses. A file that was reached by one name or way is not shown under another. */
export function createRobotsSources(ports: Omit<AskingPorts, 'robotsFor'>): AskingPorts['robotsFor'] {
  const { fetcher, clock } = ports;
  const sources = new BoundedMap<string, RobotsSource>(SOURCES_MAX);
  return (privateTargets, proxy) =>
    sources.use(JSON.stringify([privateTargets, proxy]), () => new RobotsCache(through(fetcher, proxy), clock, privateTargets, ports));
}

function through(fetcher: Pick<Fetcher, 'fetch'>, proxy: string | undefined): Pick<Fetcher, 'fetch'> {
  return proxy === undefined ? fetcher : { fetch: async (request, signal) => await fetcher.fetch({ ...request, proxy }, signal) };
}
