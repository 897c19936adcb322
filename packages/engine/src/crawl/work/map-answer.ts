// The map of a site as it is answered: what was found, and why what was not.
import type { ExtraTable, Input, ReplyOf } from '@weft/contract';
import { PageError } from '../../errors.ts';
import type { ViewReader } from '../../page/view-work.ts';
import type { AskingPorts } from '../hosts/paced-fetcher.ts';
import { mapSite } from '../map-site.ts';
import type { MapOptions } from '../map-site.ts';
import { failureOfPage } from './run-failure.ts';

const LIMIT_DEFAULT = 5000;

/**
 * The addresses of the site of `asked.url` as both surfaces answer them: robots.txt is obeyed and sitemaps are read unless it says otherwise; a
 * site that can't be read has a `failure`. Private addresses are reached where `privateTargets` (`host:port`) names them.
 */
export async function mapAnswer(
  asked: Input<ExtraTable['map']['run']>['body'],
  privateTargets: MapOptions['privateTargets'],
  ports: AskingPorts & { readonly views: ViewReader },
  signal: AbortSignal,
): Promise<ReplyOf<ExtraTable['map']['run']>['body']> {
  const { url, search, limit = LIMIT_DEFAULT, sitemap = 'include', allow_subdomains = false, respect_robots = true } = asked;
  const options = { url, search, limit, sitemap, allowSubdomains: allow_subdomains, obeysRobots: respect_robots, privateTargets };
  const { links, complete, status, failure } = await mapSite(options, ports, signal).catch(nothingFound);
  return {
    url,
    links: [...links],
    count: links.length,
    complete,
    ...(status === undefined ? {} : { status }),
    ...(failure ? { failure: failureOfPage(failure) } : {}),
  };
}

function nothingFound(failure: unknown) {
  if (!(failure instanceof PageError)) throw failure;
  return { links: [], complete: false, status: failure.status, failure };
}
