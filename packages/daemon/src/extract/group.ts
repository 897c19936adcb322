// What extractions add to the agent.
import type { Group } from '../group.ts';
import { createExtractions } from './extract.ts';
import { extractHandlers } from './handlers.ts';

export const group: Group = {
  extra: ({ crawlPorts, settings, logFailure }) => ({
    extract: extractHandlers(createExtractions({ ...crawlPorts, logFailure }, settings.proxies)),
  }),
};
