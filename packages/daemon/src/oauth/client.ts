// Programs that want to be let in: they register themselves (RFC 7591), and prove nothing by that.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '@weft/engine';
import { OAuthError } from './form.ts';
import { faultOfRedirect } from './redirect.ts';
import type { ClientRow, OAuthStore } from './store.ts';

const CLIENTS_MAX = 20;
const CLIENTS_PER_HOUR = 10;
const HOUR_MS = 3_600_000;
const UNUSED_MS = 24 * HOUR_MS;

/** What is taken of a registration; a server passes over the rest (RFC 7591, 2). */
const Registration = z.object({
  redirect_uris: z.array(z.string().max(2000)).min(1).max(10),
  client_name: z.string().trim().min(1).max(100).optional(),
  token_endpoint_auth_method: z.literal('none').optional(),
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token'])).optional(),
  response_types: z.array(z.literal('code')).optional(),
  scope: z.literal('run').optional(),
});

export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface OAuthClients {
  /** What is answered to a registration. Throws OAuthError. */
  register(metadata: unknown): Readonly<Record<string, unknown>>;
  find(id: string): OAuthClient | undefined;
}

export function createOAuthClients({ store, clock }: { readonly store: OAuthStore; readonly clock: Clock }): OAuthClients {
  const makeRoom = () => {
    store.dropUnusedClients(clock.now() - UNUSED_MS);
    if (store.countClients(0) >= CLIENTS_MAX)
      throw new OAuthError(
        'invalid_client_metadata',
        `${CLIENTS_MAX} programs are registered, and no more may be; one without a grant is forgotten after a day.`,
      );
    if (store.countClients(clock.now() - HOUR_MS) >= CLIENTS_PER_HOUR)
      throw new OAuthError('invalid_client_metadata', `${CLIENTS_PER_HOUR} programs have registered within an hour; try again later.`);
  };
  return {
    register(metadata) {
      const { client_name, redirect_uris } = readRegistration(metadata);
      makeRoom();
      const row: ClientRow = {
        id: `client_${randomBytes(16).toString('hex')}`,
        name: client_name ?? 'a program without a name',
        redirect_uris: JSON.stringify(redirect_uris),
        created_at: clock.now(),
      };
      store.addClient(row);
      return {
        client_id: row.id,
        client_id_issued_at: Math.floor(row.created_at / 1000),
        client_name: row.name,
        redirect_uris,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: 'run',
      };
    },
    find(id) {
      const row = store.findClient(id);
      return row && { id: row.id, name: row.name, redirectUris: JSON.parse(row.redirect_uris) as readonly string[] };
    },
  };
}

function readRegistration(metadata: unknown): z.infer<typeof Registration> {
  const parsed = Registration.safeParse(metadata);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new OAuthError('invalid_client_metadata', `"${issue?.path.join('.')}": ${issue?.message}`);
  }
  for (const uri of parsed.data.redirect_uris) {
    const fault = faultOfRedirect(uri);
    if (fault !== undefined) throw new OAuthError('invalid_redirect_uri', `The redirect address "${uri.slice(0, 200)}" ${fault}.`);
  }
  return parsed.data;
}
