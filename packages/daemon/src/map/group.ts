// What maps add to the agent.
import type { Group } from '../group.ts';
import { mapHandlers } from './handlers.ts';
import { createMaps } from './map.ts';

export const group: Group = { extra: ({ crawlPorts, logFailure }) => ({ map: mapHandlers(createMaps({ ...crawlPorts, logFailure })) }) };
