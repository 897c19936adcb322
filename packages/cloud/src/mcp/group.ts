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
    mcp(nouns) {
      const { config, scrapes, maps, credits, crawls, functions, publishedRuns, targets, targetRuns } = nouns;
      return new McpAdapter({
        name: 'weft-cloud',
        version: config.version,
        instructions:
          'Reads public web pages, crawls and maps sites, watches pages for changes, and calls the functions that the account has published. Each tool says what it costs.',
        tools: cloudTools({
          scrapes,
          maps,
          credits,
          crawls,
          functions,
          publishedRuns,
          targets,
          targetRuns,
          onCrawlStarted: () => nouns.crawlWorker.wake(),
          onDue: () => nouns.targetWorker.wake(),
        }),
      });
    },
  },
  specified: ({ mcp }) => ({ mcp: mcpHandlers(mcp) }),
};
