// Finds who a token is, at every request, and replaces the runtime token (D14).
import { timingSafeEqual } from 'node:crypto';
import type { Actor, StreamRegistry } from '@weft/serve';
import type { Keys } from '../keys/key.ts';
import { ensureRuntimeToken, replaceRuntimeToken } from './tokens.ts';
import { hashToken } from '@weft/serve';

export interface Identity {
  /** The actor of a token that is known now. */
  authenticate(token: string): Actor | undefined;
  /** True while an actor's token still works. */
  isAlive(actor: Actor): boolean;
  runtimeToken(): string;
  /** Replaces the runtime token; streams and tickets of the old one end. */
  rotate(): { readonly token: string; readonly file: string };
}

const RUNTIME = 'runtime';

export function createIdentity(ports: { readonly tokenFile: string; readonly keys: Keys; readonly streams: StreamRegistry }): Identity {
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
    authenticate(candidate) {
      if (candidate.startsWith('wlt_')) return timingSafeEqual(hashToken(candidate), hash) ? runtimeActor() : undefined;
      return candidate.startsWith('wlk_') ? ports.keys.findActor(candidate) : undefined;
    },
    isAlive: (actor) => (actor.family === 'wlt' ? actor.id === runtimeActor().id : ports.keys.exists(actor.id)),
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
