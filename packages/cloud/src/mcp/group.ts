// What models are offered of the cloud, over the Model Context Protocol.
import { McpAdapter, mcpHandlers } from '@weft/serve';
import type { Group } from '../group.ts';
import { cloudTools } from './tools.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly mcp: McpAdapter;
  }
}

export const group: Group = {
  nouns: {
    mcp: ({ config, scrapes, maps, credits }) =>
      new McpAdapter({
        name: 'weft-cloud',
        version: config.version,
        instructions: 'Reads public web pages and maps sites. Each tool says what it costs.',
        tools: cloudTools({ scrapes, maps, credits }),
      }),
  },
  specified: ({ mcp }) => ({ mcp: mcpHandlers(mcp) }),
};
