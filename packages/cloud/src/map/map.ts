// Maps: the addresses of a site, found and answered at once.
import type { CloudTable, Input, ReplyOf } from '@weft/contract';
import { PageError, failureOfPage, mapSite } from '@weft/engine';
import type { AskingPorts, ViewReader } from '@weft/engine';

type MapRequest = Input<CloudTable['keyless']['map']>['body'];
type MappedSite = ReplyOf<CloudTable['keyless']['map']>['body'];

export interface Maps {
  /** The addresses of a site as its robots.txt allows; one that can't be reached has a `failure`. */
  run(request: MapRequest, signal: AbortSignal): Promise<MappedSite>;
}

const LIMIT_DEFAULT = 500;

export function createMaps(ports: AskingPorts & { readonly views: ViewReader }): Maps {
  return {
    async run({ url, search, limit = LIMIT_DEFAULT }, signal) {
      const options = { url, limit, search, sitemap: 'include', allowSubdomains: false, obeysRobots: true, privateTargets: [] } as const;
      try {
        const { links, complete, failure } = await mapSite(options, ports, signal);
        return { url, links: [...links], count: links.length, complete, ...(failure ? { failure: failureOfPage(failure) } : {}) };
      } catch (error) {
        if (!(error instanceof PageError)) throw error;
        return { url, links: [], count: 0, complete: false, failure: failureOfPage(error) };
      }
    },
  };
}
