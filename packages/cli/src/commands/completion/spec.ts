// Scripts that complete command lines.
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'The agent',
  commands: [{ name: 'completion', summary: 'print a completion script', args: ['<shell>'], load: () => import('./completion.ts') }],
};
