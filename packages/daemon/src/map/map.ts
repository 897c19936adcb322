// Maps: the addresses of a site, found and answered at once.
import type { ExtraTable, Input, ReplyOf } from '@weft/contract';
import { AppError } from '@weft/contract';
import { PageError, ROBOTS_SHARED_MS, mapSite } from '@weft/engine';
import type { ViewPool } from '@weft/engine/io';
import type { Actor } from '@weft/serve';
import { isAdmin } from '@weft/serve';
import { askForOneWhoStays, privateTargetsOf } from '../paced-fetcher.ts';
import type { AskingPorts } from '../paced-fetcher.ts';
import { failureOf } from '../runs/executor.ts';

type MapRequest = Input<ExtraTable['map']['run']>['body'];
type MappedSite = ReplyOf<ExtraTable['map']['run']>['body'];

export interface Maps {
  /** The addresses of a site; one that can't be reached has a `failure`. Throws AppError `forbidden`. */
  run(request: MapRequest, actor: Actor, signal: AbortSignal): Promise<MappedSite>;
}

export interface MapPorts extends AskingPorts {
  readonly views: ViewPool;
  /** Product token that robots groups are chosen by. */
  readonly agent: string;
}

const LIMIT_DEFAULT = 500;

export function createMaps(ports: MapPorts): Maps {
  const { views, agent } = ports;
  return {
    async run(request, actor, signal) {
      const { url, search, limit = LIMIT_DEFAULT, sitemap = 'include', allow_subdomains = false, respect_robots = true } = request;
      if (!respect_robots && !isAdmin(actor))
        throw new AppError('forbidden', '"respect_robots": false needs the admin scope or the runtime token.');
      const privateTargets = privateTargetsOf(url, actor);
      const options = {
        url,
        limit,
        search,
        sitemap,
        allowSubdomains: allow_subdomains,
        obeysRobots: respect_robots,
        agent,
        privateTargets,
      };
      try {
        const { links, complete, failure } = await mapSite(
          options,
          {
            ...askForOneWhoStays(ports, privateTargets, ports.clock.steadyMs() - ROBOTS_SHARED_MS),
            readLinks: (page, stop) => readLinks(views, page, stop),
          },
          signal,
        );
        return { url, links: [...links], count: links.length, complete, ...(failure ? { failure: failureOf(failure) } : {}) };
      } catch (error) {
        if (!(error instanceof PageError)) throw error;
        return { url, links: [], count: 0, complete: false, failure: failureOf(error) };
      }
    },
  };
}

async function readLinks(views: ViewPool, page: Parameters<Parameters<typeof mapSite>[1]['readLinks']>[0], signal: AbortSignal) {
  const { result } = await views.run('views', { source: page, formats: ['links'], onlyMainContent: false }, signal);
  return { ...(result.title === undefined ? {} : { title: result.title }), links: result.links ?? [] };
}
