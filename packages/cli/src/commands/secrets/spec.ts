// Values that are sent to their origins and shown to nobody.
import { LIST_PAGE } from '../../list-page.ts';
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'Secrets and accounts',
  commands: [
    {
      name: 'secret',
      summary: 'values that are sent to their origins and shown to nobody',
      commands: [
        {
          name: 'set',
          summary: 'keep a value, typed without echo or on standard input',
          args: ['<key>'],
          options: [
            { flags: '--origin <origin>', summary: 'where it may be sent, such as https://example.com; repeatable', repeats: true },
          ],
          examples: ['weft secret set api_key --origin https://api.example.com', 'weft secret set api_key < key.txt'],
          load: () => import('./set.ts'),
        },
        { name: 'list', summary: 'all secrets, without their values', options: LIST_PAGE, load: () => import('./list.ts') },
        { name: 'show', summary: 'one secret, without its value', args: ['<key>'], load: () => import('./show.ts') },
        { name: 'delete', summary: 'delete a secret', args: ['<key>'], load: () => import('./delete.ts') },
      ],
    },
  ],
};
