// Group OAuth, under /x/.
import type { ExtraTable } from '@weft/contract';
import { listHeaders } from '@weft/serve';
import type { GroupHandlers } from '@weft/serve';
import type { Approvals } from './approval.ts';
import type { OAuthGrants } from './grant.ts';

export function oauthHandlers(grants: OAuthGrants, approvals: Approvals): GroupHandlers<ExtraTable['oauth']> {
  return {
    approve: () => ({ status: 201, body: approvals.make() }),
    grants: ({ query }) => {
      const { data, total } = grants.list(query);
      return { status: 200, headers: listHeaders('/x/oauth/grants', query, data.length, total), body: { data, count: data.length } };
    },
    revoke: ({ params }) => {
      grants.revoke(params.id);
      return { status: 204 };
    },
  };
}
