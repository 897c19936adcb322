// How to bring each operation of oauth to each status that it declares.
import type { OAuthGrant } from '@weft/contract';
import { letIn } from '../oauth-flow.ts';
import type { Reach } from '../ways.ts';
import { get, plain, post } from '../ways.ts';

const remove = (id: string) => ({ method: 'DELETE', target: `/x/oauth/grants/${id}` });

export const reach: Readonly<Record<string, Reach>> = {
  'oauth.approve': { base: post('/x/oauth/approvals'), ways: { 201: plain(post('/x/oauth/approvals')) } },
  'oauth.grants': {
    base: get('/x/oauth/grants'),
    ways: { 200: { prepare: async (agent) => (await letIn(agent), get('/x/oauth/grants?limit=500')) } },
  },
  'oauth.revoke': {
    base: remove('grant_1'),
    ways: {
      204: {
        async prepare(agent) {
          await letIn(agent);
          const { body } = await agent.json('GET', '/x/oauth/grants');
          const [grant] = (body as { data: OAuthGrant[] }).data;
          return remove(grant?.id ?? '');
        },
        rows: { oauth_grant: -1, oauth_token: -2 },
      },
      404: plain(remove('grant_none')),
    },
  },
};
