// Hosts that asked to be left alone.
import { LIST_PAGE } from '../../list-page.ts';
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'Pages and sites',
  commands: [
    {
      name: 'hosts',
      summary: 'hosts that asked to be left alone: until when, and why',
      examples: ['weft hosts', 'weft hosts ask https://example.com'],
      options: LIST_PAGE,
      load: () => import('./list.ts'),
      commands: [
        {
          name: 'ask',
          summary: 'ask a host again now, though it wants to be left alone',
          args: ['<host>'],
          load: () => import('./ask.ts'),
        },
      ],
    },
  ],
};
