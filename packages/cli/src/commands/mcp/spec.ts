// The agent for programs that speak the Model Context Protocol.
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'The agent',
  commands: [
    {
      name: 'mcp',
      summary: 'Model Context Protocol on standard input and output: workflows that are exposed, as tools',
      load: () => import('./bridge.ts'),
    },
  ],
};
