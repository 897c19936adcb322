// The command on the path, from a checkout.
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'The agent',
  commands: [
    {
      name: 'link',
      summary: 'put this command on your path, as a link to the checkout',
      options: [
        { flags: '--to <folder>', summary: 'where the link goes; a folder of your path that you may write to, unless said' },
        { flags: '--remove', summary: 'take the link away again' },
      ],
      load: () => import('./link.ts'),
    },
  ],
};
