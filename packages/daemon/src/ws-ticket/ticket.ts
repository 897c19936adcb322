// Single-use WebSocket tickets (D17): kept in memory as hashes, because thirty seconds need no disk.
import { randomBytes } from 'node:crypto';
import { LIMITS } from '@weft/contract';
import type { Ticket } from '@weft/contract';
import type { Clock } from '@weft/engine';
import type { Actor } from '@weft/serve';
import { hashToken } from '../auth/tokens.ts';
import { toInstant } from '../time.ts';

export interface Tickets {
  mint(actor: Actor, baseUrl: string): Ticket;
  /** The actor of a live ticket, which is spent by this; undefined for any other text. */
  spend(ticket: string): Actor | undefined;
}

export interface TicketPorts {
  readonly clock: Clock;
  /** False once the token behind the actor is gone. */
  isAlive(actor: Actor): boolean;
}

export function createTickets({ clock, isAlive }: TicketPorts): Tickets {
  const live = new Map<string, { readonly actor: Actor; readonly expiresMs: number }>();
  const forgetExpired = () => {
    for (const [hash, { expiresMs }] of live) if (expiresMs <= clock.now()) live.delete(hash);
  };
  return {
    mint(actor, baseUrl) {
      forgetExpired();
      const ticket = randomBytes(32).toString('base64url');
      const expiresMs = clock.now() + LIMITS.ticketSeconds * 1000;
      live.set(hashToken(ticket).toString('hex'), { actor, expiresMs });
      return { ticket, url: `${baseUrl.replace(/^http/, 'ws')}/ws?ticket=${ticket}`, expires_at: toInstant(expiresMs) };
    },
    spend(ticket) {
      const hash = hashToken(ticket).toString('hex');
      const found = live.get(hash);
      live.delete(hash);
      return found && found.expiresMs > clock.now() && isAlive(found.actor) ? found.actor : undefined;
    },
  };
}
