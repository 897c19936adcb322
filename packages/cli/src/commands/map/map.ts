// weft map <url>: the addresses of a site, one a line.
import { toUrl } from '../../address.ts';
import { refuseSlip } from '../../address-list.ts';
import { wholeNumber } from '../../number-option.ts';
import { pageFailure } from '../../page-failure.ts';
import type { CommandRun } from '../../spec.ts';

const LINKS_MAX = 5000;

export const run: CommandRun = async (context, [url = ''], options) => {
  refuseSlip(context, 'map', url);
  const limit = wholeNumber(options, 'limit', 1, LINKS_MAX);
  const client = await context.client();
  const map = await client.map.run(
    {
      url: toUrl(url),
      ...(typeof options['search'] === 'string' ? { search: options['search'] } : {}),
      ...(limit === undefined ? {} : { limit }),
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
