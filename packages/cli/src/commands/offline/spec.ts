// What needs no agent and no network.
import type { GroupSpec } from '../../spec.ts';
import { HIDDEN } from '../page-options.ts';

export const group: GroupSpec = {
  section: 'Pages and sites',
  commands: [
    {
      name: 'parse',
      summary: 'every view of a saved page, without a network',
      args: ['[file]'],
      options: [
        { flags: '--url <url>', summary: 'where the page was found' },
        { flags: '--want <views>', summary: 'comma-separated: text, markdown, metadata, records, product, paging, forms, links, left_out' },
        HIDDEN,
        {
          flags: '--batch',
          summary: 'read NDJSON jobs {"path","url","encoding"?,"want","include_hidden"?} and write one result a line, in order',
        },
      ],
      load: () => import('./parse.ts'),
    },
    {
      name: 'robots',
      summary: 'decide by robots rules, without a network',
      options: [{ flags: '--batch', summary: 'read NDJSON jobs {"robots","agent","url"} and write {"allowed","rule","line"}, in order' }],
      load: () => import('./robots.ts'),
    },
  ],
};
