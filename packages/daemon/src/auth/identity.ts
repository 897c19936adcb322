// Finds who a token is, at every request, and replaces the runtime token (D14).
import { timingSafeEqual } from 'node:crypto';
import type { Actor, StreamRegistry } from '@weft/serve';
import type { Keys } from '../keys/key.ts';
import type { OAuthGrants } from '../oauth/grant.ts';
import { ensureRuntimeToken, replaceRuntimeToken } from './tokens.ts';
import { hashToken } from '@weft/serve';

export interface Identity {
  /** The actor of a token that is known now, at the listener at `origin`. */
  authenticate(token: string, origin: string): Actor | undefined;
  /** True while an actor's token still works. */
  isAlive(actor: Actor): boolean;
  runtimeToken(): string;
  /** Replaces the runtime token; streams and tickets of the old one end. */
  rotate(): { readonly token: string; readonly file: string };
}

export interface IdentityPorts {
  readonly tokenFile: string;
  readonly keys: Keys;
  readonly grants: Pick<OAuthGrants, 'findActor' | 'exists'>;
  readonly streams: StreamRegistry;
}

const RUNTIME = 'runtime';

export function createIdentity(ports: IdentityPorts): Identity {
  let token = ensureRuntimeToken(ports.tokenFile);
  let hash = hashToken(token);
  /** Grows with each rotation, so that a ticket of the old token is not one of the new. */
  let epoch = 0;
  const runtimeActor = (): Actor => ({
    id: epoch === 0 ? RUNTIME : `${RUNTIME}-${epoch}`,
    family: 'wlt',
    scopes: ['read', 'run', 'admin'],
  });
  return {
    authenticate(candidate, origin) {
      if (candidate.startsWith('wlt_')) return timingSafeEqual(hashToken(candidate), hash) ? runtimeActor() : undefined;
      if (candidate.startsWith('wlk_')) return ports.keys.findActor(candidate);
      return candidate.startsWith('wlo_') ? ports.grants.findActor(candidate, origin) : undefined;
    },
    isAlive({ family, id }) {
      if (family === 'wlt') return id === runtimeActor().id;
      return family === 'wlo' ? ports.grants.exists(id) : ports.keys.exists(id);
    },
    runtimeToken: () => token,
    rotate() {
      const old = runtimeActor().id;
      token = replaceRuntimeToken(ports.tokenFile);
      hash = hashToken(token);
      epoch++;
      ports.streams.endOf(old);
      return { token, file: ports.tokenFile };
    },
  };
}
