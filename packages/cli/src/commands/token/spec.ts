// The runtime token.
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'Who may call it',
  commands: [
    {
      name: 'token',
      summary: 'the runtime token',
      commands: [
        { name: 'show', summary: 'print it', load: () => import('./show.ts') },
        { name: 'rotate', summary: 'replace it; what the old one holds open ends', load: () => import('./rotate.ts') },
      ],
    },
  ],
};
