// What secrets add to the agent.
import type { Group } from '../group.ts';
import { secretHandlers } from './handlers.ts';
import type { Secrets } from './secret.ts';
import { createSecrets } from './secret.ts';
import { createSecretStore } from './store.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly secrets: Secrets;
  }
}

export const group: Group = {
  nouns: { secrets: ({ database, vault, clock }) => createSecrets({ store: createSecretStore(database), vault, clock }) },
  open: ({ secrets, proxyLogins }) => proxyLogins?.open(secrets),
  specified: ({ secrets }) => ({ secrets: secretHandlers(secrets) }),
};
