// What keeps secrets sealed.
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'Secrets and accounts',
  commands: [
    {
      name: 'vault',
      summary: 'what keeps secrets sealed',
      commands: [
        {
          name: 'init',
          summary: 'set the first passphrase; without one the key of this device opens the vault',
          examples: ['weft vault init', 'printf %s "$PASSPHRASE" | weft vault init'],
          load: () => import('./init.ts'),
        },
        { name: 'status', summary: 'whether it is open, and what waits for it', load: () => import('./status.ts') },
        { name: 'lock', summary: 'lock it now', load: () => import('./lock.ts') },
        { name: 'unlock', summary: 'open it, by its passphrase where it has one', load: () => import('./unlock.ts') },
        {
          name: 'passwd',
          summary: 'change the passphrase; on standard input the old one, then the new one',
          load: () => import('./passwd.ts'),
        },
        { name: 'rotate', summary: 'take a new master key and seal everything anew', load: () => import('./rotate.ts') },
      ],
    },
  ],
};
