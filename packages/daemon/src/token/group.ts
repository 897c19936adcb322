// What the runtime token's own operation adds to the agent.
import type { Group } from '../group.ts';
import { tokenHandlers } from './handlers.ts';

export const group: Group = {
  extra: ({ identity, presence }) => ({ token: tokenHandlers(identity, presence.write) }),
};
