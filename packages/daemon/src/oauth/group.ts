// What OAuth 2.1 adds to the agent: programs that a person lets in, with the scope to run (D18).
import type { Group } from '../group.ts';
import type { Approvals } from './approval.ts';
import { createApprovals } from './approval.ts';
import { createOAuthClients } from './client.ts';
import type { OAuthGrants } from './grant.ts';
import { createOAuthGrants } from './grant.ts';
import { oauthHandlers } from './handlers.ts';
import { oauthRoutes } from './routes.ts';
import type { OAuthStore } from './store.ts';
import { createOAuthStore } from './store.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly oauthStore: OAuthStore;
    readonly oauthGrants: OAuthGrants;
    readonly oauthApprovals: Approvals;
  }
}

export const group: Group = {
  nouns: {
    oauthStore: ({ database }) => createOAuthStore(database),
    oauthGrants: ({ oauthStore: store, streams, clock }) => createOAuthGrants({ store, streams, clock }),
    oauthApprovals: ({ clock }) => createApprovals(clock),
  },
  extra: ({ oauthGrants, oauthApprovals }) => ({ oauth: oauthHandlers(oauthGrants, oauthApprovals) }),
  routes: ({ oauthGrants: grants, oauthApprovals: approvals, oauthStore: store, identity, clock }) =>
    oauthRoutes({ grants, approvals, clients: createOAuthClients({ store, clock }), identity, clock }),
  prune: ({ oauthGrants }) => oauthGrants.prune(),
};
