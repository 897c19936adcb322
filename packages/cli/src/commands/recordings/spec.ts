// Recordings: what a person does in a browser becomes a workflow.
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'Pages and sites',
  commands: [
    {
      name: 'record',
      summary: 'do it once in a browser, and keep it as a workflow',
      args: ['<url>'],
      options: [
        { flags: '--name <name>', summary: 'what the workflow is called; after the host unless said' },
        { flags: '--persona <persona>', summary: 'whom it acts as: passwords become references to this persona' },
        { flags: '--window', summary: 'in a window on this screen, as where there is one' },
        { flags: '--no-window', summary: 'on a page that any browser of this machine opens, as where there is no screen' },
      ],
      examples: ['weft record https://shop.example', 'weft record https://shop.example/login --persona 1 --name orders'],
      load: () => import('./record.ts'),
    },
  ],
};
