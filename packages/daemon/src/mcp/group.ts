// What the Model Context Protocol adds to the agent.
import { McpAdapter } from '@weft/serve';
import type { Group } from '../group.ts';
import { mcpHandlers } from './handlers.ts';
import { workflowTools } from './tools.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly mcp: McpAdapter;
  }
}

export const group: Group = {
  nouns: {
    mcp: ({ config, workflows, runs, executor, runResults: results }) =>
      new McpAdapter({
        name: 'weft',
        version: config.version,
        instructions: 'Each tool runs one workflow of the local agent that its owner has exposed. A run that failed says why.',
        tools: workflowTools({ workflows, runs, executor, results }),
      }),
  },
  extra: ({ mcp }) => ({ mcp: mcpHandlers(mcp) }),
  close: ({ mcp }) => mcp.close(),
};
