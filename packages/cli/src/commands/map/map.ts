// weft map <url>: the addresses of a site, one a line.
import { toUrl } from '../../address.ts';
import { refuseSlip } from '../../address-list.ts';
import { wholeNumber } from '../../number-option.ts';
import { pageFailure } from '../../page-failure.ts';
import { refuseForCloud } from '../cloud/options.ts';
import type { CommandRun } from '../../spec.ts';

const LINKS_MAX = 5000;

export const run: CommandRun = async (context, [url = ''], options) => {
  refuseSlip(context, 'map', url);
  const limit = wholeNumber(options, 'limit', 1, LINKS_MAX);
  const asked = {
    url: toUrl(url),
    ...(typeof options['search'] === 'string' ? { search: options['search'] } : {}),
    ...(limit === undefined ? {} : { limit }),
  };
  const map =
    options['cloud'] === true
      ? await mapByCloud(context, asked, options)
      : await (
          await context.client()
        ).map.run(
          {
            ...asked,
            sitemap: options['sitemap'] as 'include' | 'skip' | 'only',
            allow_subdomains: options['subdomains'] === true,
            respect_robots: options['ignoreRobots'] !== true,
          },
          { signal: context.signal },
        );
  if (map.failure && map.count === 0) throw pageFailure({ failure: map.failure, url: map.url, command: 'map' });
  context.show(map, map.links.map((link) => link.url).join('\n'));
  if (map.failure) context.say(`weft: the address itself could not be read: ${map.failure.message}`);
  if (!map.complete)
    context.say(
      map.count >= (limit ?? LINKS_MAX)
        ? 'weft: a limit left addresses out; see --limit'
        : 'weft: not all of it could be read in a minute; a crawl takes its time: weft crawl <url> -f -',
    );
};

async function mapByCloud(
  context: Parameters<CommandRun>[0],
  asked: { readonly url: string; readonly search?: string; readonly limit?: number },
  options: Parameters<CommandRun>[2],
) {
  refuseForCloud(options, ['subdomains', 'ignoreRobots', ...(options['sitemap'] === 'include' ? [] : ['sitemap'])]);
  return await (await context.cloud()).keyless.map(asked, { signal: context.signal });
}
