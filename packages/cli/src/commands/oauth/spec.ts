// Programs that were let in by OAuth 2.1.
import { LIST_PAGE } from '../../list-page.ts';
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'Who may call it',
  commands: [
    {
      name: 'oauth',
      summary: 'programs that ask to be let in',
      commands: [
        { name: 'approve', summary: 'print the code that the page in your browser asks for', load: () => import('./approve.ts') },
        { name: 'list', summary: 'the programs that were let in', options: LIST_PAGE, load: () => import('./list.ts') },
        { name: 'revoke', summary: 'shut one out again', args: ['<id>'], load: () => import('./revoke.ts') },
      ],
    },
  ],
};
