// The browser that renders pages.
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'The agent',
  commands: [
    {
      name: 'browser',
      summary: 'the browser that renders pages',
      commands: [
        { name: 'status', summary: 'which one is used', load: () => import('./status.ts') },
        { name: 'install', summary: 'unpack the one that comes along', load: () => import('./install.ts') },
      ],
    },
  ],
};
