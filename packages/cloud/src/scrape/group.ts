// What scrapes add to the cloud.
import type { Group } from '../group.ts';
import { scrapeHandlers } from './handlers.ts';
import { createScrapes } from './scrape.ts';
import type { Scrapes } from './scrape.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly scrapes: Scrapes;
  }
}

export const group: Group = {
  nouns: { scrapes: ({ database, credits, askingPorts }) => createScrapes(database, credits, askingPorts) },
  specified: ({ scrapes }) => ({ scrape: scrapeHandlers(scrapes) }),
  upkeep: ({ scrapes }) => scrapes.prune(),
};
