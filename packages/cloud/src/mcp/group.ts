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
    mcp: ({ config, scrapes, maps, credits, crawls, crawlWorker, functions, publishedRuns }) =>
      new McpAdapter({
        name: 'weft-cloud',
        version: config.version,
        instructions:
          'Reads public web pages, crawls and maps sites, and calls the functions that the account has published. Each tool says what it costs.',
        tools: cloudTools({ scrapes, maps, credits, crawls, onCrawlStarted: () => crawlWorker.wake(), functions, publishedRuns }),
      }),
  },
  specified: ({ mcp }) => ({ mcp: mcpHandlers(mcp) }),
};
