// Who a token is: what authentication adds to the agent.
import type { Group } from '../group.ts';
import type { Identity } from './identity.ts';
import { createIdentity } from './identity.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly identity: Identity;
  }
}

export const group: Group = {
  nouns: {
    identity: ({ home, keys, oauthGrants: grants, streams }) => createIdentity({ tokenFile: home.file('token'), keys, grants, streams }),
  },
};
