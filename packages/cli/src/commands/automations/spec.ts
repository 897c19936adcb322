// What is done by itself when something changes, ends or is due.
import { LIST_PAGE } from '../../list-page.ts';
import type { GroupSpec } from '../../spec.ts';

const ID = '<id>';

export const group: GroupSpec = {
  section: 'What was kept',
  commands: [
    {
      name: 'automation',
      summary: 'what is done by itself when something changes, ends or is due',
      commands: [
        {
          name: 'list',
          summary: 'all automations, newest first',
          options: [{ flags: '--search <words>', summary: 'only those whose name holds this' }, ...LIST_PAGE],
          load: () => import('./list.ts'),
        },
        {
          name: 'add',
          summary: 'keep the automation in a JSON file',
          args: ['<file>'],
          examples: ['weft automation add cheaper.json', 'weft automation add -'],
          load: () => import('./add.ts'),
        },
        { name: 'show', summary: 'one automation', args: [ID], load: () => import('./show.ts') },
        {
          name: 'run',
          summary: 'set one off now, also one that is disabled',
          args: [ID],
          options: [
            { flags: '--payload <json>', summary: 'what its templates find as trigger.payload' },
            { flags: '--detach', summary: 'start it and return; it goes on in the agent' },
          ],
          examples: [`weft automation run 3 --payload '{"n": 2}'`],
          load: () => import('./run.ts'),
        },
        {
          name: 'trace',
          summary: 'what its last run did and why',
          args: [ID],
          options: [{ flags: '--run <number>', summary: 'of this run' }],
          load: () => import('./trace.ts'),
        },
        { name: 'enable', summary: 'let it act by itself', args: [ID], load: () => import('./enable.ts') },
        { name: 'disable', summary: 'let it act by hand alone', args: [ID], load: () => import('./disable.ts') },
        { name: 'remove', summary: 'delete it; its live runs are cancelled', args: [ID], load: () => import('./remove.ts') },
      ],
    },
  ],
};
