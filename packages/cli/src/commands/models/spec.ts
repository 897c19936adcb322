// The model that the settings name.
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'The agent',
  commands: [
    {
      name: 'model',
      summary: 'the model that the settings name (docs/models.md)',
      commands: [
        {
          name: 'test',
          summary: 'ask it one small question: how fast it answers, what that costs, or what to mend',
          load: () => import('./test.ts'),
        },
      ],
    },
  ],
};
