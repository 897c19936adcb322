// The addresses of a site.
import type { GroupSpec } from '../../spec.ts';
import { SITEMAP_USES } from '../page-options.ts';

export const group: GroupSpec = {
  section: 'Pages and sites',
  commands: [
    {
      name: 'map',
      summary: 'list the addresses of a site',
      args: ['<url>'],
      options: [
        { flags: '--search <words>', summary: 'the best first, by the words of addresses, titles and links' },
        { flags: '--limit <count>', summary: 'how many at most', default: '5000' },
        {
          flags: '--sitemap <use>',
          summary: 'sitemaps beside links, not at all, or alone',
          choices: SITEMAP_USES,
          default: 'include',
        },
        { flags: '--subdomains', summary: 'also other hosts of the same domain' },
        { flags: '--ignore-robots', summary: 'also ask for what robots.txt forbids' },
        { flags: '--cloud', summary: 'through the cloud that SERVICE_CLOUD_URL names, within the keyless allowance' },
      ],
      load: () => import('./map.ts'),
    },
  ],
};
