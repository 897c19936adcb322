// Files.
import { LIST_PAGE } from '../../list-page.ts';
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'What was kept',
  commands: [
    {
      name: 'file',
      summary: 'files that were uploaded or written from data',
      commands: [
        { name: 'list', summary: 'all files', options: LIST_PAGE, load: () => import('./list.ts') },
        {
          name: 'get',
          summary: 'the bytes of a file',
          args: ['<id>'],
          options: [{ flags: '-o, --output <file>', summary: 'write to a file instead' }],
          examples: ['weft file get file_0123456789abcdef01234567 -o report.pdf', 'weft file get file_0123456789abcdef01234567 --json'],
          load: () => import('./get.ts'),
        },
        {
          name: 'put',
          summary: 'upload a file',
          args: ['<path>'],
          options: [{ flags: '--type <type>', summary: 'its media type, where its name does not say it' }],
          examples: ['weft file put addresses.csv --type text/csv'],
          load: () => import('./put.ts'),
        },
        { name: 'rm', summary: 'delete a file', args: ['<id>'], load: () => import('./rm.ts') },
      ],
    },
  ],
};
