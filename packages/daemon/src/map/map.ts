// Maps: the addresses of a site, found and answered at once.
import type { ExtraTable, Input, ReplyOf } from '@weft/contract';
import { AppError } from '@weft/contract';
import { PageError, failureOfPage, mapSite } from '@weft/engine';
import type { AskingPorts, ViewReader } from '@weft/engine';
import type { Actor } from '@weft/serve';
import { isAdmin } from '@weft/serve';
import { privateTargetsOf } from '../auth/private-targets.ts';
import type { LogFailure } from '../group.ts';

type MapRequest = Input<ExtraTable['map']['run']>['body'];
type MappedSite = ReplyOf<ExtraTable['map']['run']>['body'];

export interface Maps {
  /** The addresses of a site; one that can't be reached has a `failure`. Throws AppError `forbidden`. */
  run(request: MapRequest, actor: Actor, signal: AbortSignal): Promise<MappedSite>;
}

const LIMIT_DEFAULT = 5000;

export function createMaps(ports: AskingPorts & { readonly views: ViewReader; readonly logFailure: LogFailure }): Maps {
  return {
    async run(request, actor, signal) {
      const { url, search, limit = LIMIT_DEFAULT, sitemap = 'include', allow_subdomains = false, respect_robots = true } = request;
      if (!respect_robots && !isAdmin(actor))
        throw new AppError('forbidden', '"respect_robots": false needs the admin scope or the runtime token.');
      const options = {
        url,
        limit,
        search,
        sitemap,
        allowSubdomains: allow_subdomains,
        obeysRobots: respect_robots,
        privateTargets: privateTargetsOf(url, actor),
      };
      try {
        const { links, complete, failure, status } = await mapSite(options, ports, signal);
        return {
          url,
          links: [...links],
          count: links.length,
          complete,
          ...(status === undefined ? {} : { status }),
          ...(failure ? { failure: failureOfPage(failure) } : {}),
        };
      } catch (error) {
        if (!(error instanceof PageError)) throw error;
        const failure = failureOfPage(error);
        ports.logFailure({ of: url, kind: 'map' }, failure);
        const { status } = error;
        return { url, links: [], count: 0, complete: false, ...(status === undefined ? {} : { status }), failure };
      }
    },
  };
}
