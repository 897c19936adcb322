// Restricted keys.
import { LIST_PAGE } from '../../list-page.ts';
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'Who may call it',
  commands: [
    {
      name: 'key',
      summary: 'restricted keys',
      commands: [
        { name: 'list', summary: 'all keys', options: LIST_PAGE, load: () => import('./list.ts') },
        {
          name: 'create',
          summary: 'mint a key; its token is shown once',
          args: ['<name>'],
          options: [{ flags: '--scopes <list>', summary: 'comma-separated: read, run, admin', default: 'read' }],
          load: () => import('./create.ts'),
        },
        { name: 'get', summary: 'one key', args: ['<id>'], load: () => import('./get.ts') },
        {
          name: 'delete',
          summary: 'delete a key and end what it holds open',
          args: ['<id>'],
          load: () => import('./delete.ts'),
        },
      ],
    },
  ],
};
