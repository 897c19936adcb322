// Single-use WebSocket tickets (D17): kept in memory as hashes, because thirty seconds need no disk.
import { randomBytes } from 'node:crypto';
import { LIMITS } from '@weft/contract';
import type { Ticket } from '@weft/contract';
import type { CrawlClock } from '@weft/engine';
import type { Actor } from '@weft/serve';
import { hashToken } from '@weft/serve';
import { toInstant } from '@weft/serve';

export interface Tickets {
  /** For a program thirty seconds, unless said. */
  mint(actor: Actor, baseUrl: string, lifeSeconds?: number): Ticket;
  /** The actor of a live ticket, which is spent by this; undefined for any other text. */
  spend(ticket: string): Actor | undefined;
}

export interface TicketPorts {
  readonly clock: CrawlClock;
  /** False once the token behind the actor is gone. */
  isAlive(actor: Actor): boolean;
}

interface LiveTicket {
  readonly actor: Actor;
  readonly expiresMs: number;
}

export function createTickets({ clock, isAlive }: TicketPorts): Tickets {
  const live = new Map<string, LiveTicket>();
  const isLive = ({ expiresMs }: LiveTicket) => clock.steadyMs() < expiresMs;
  const forgetExpired = () => {
    for (const [hash, ticket] of live) if (!isLive(ticket)) live.delete(hash);
  };
  return {
    mint(actor, baseUrl, lifeSeconds = LIMITS.ticketSeconds) {
      forgetExpired();
      const ticket = randomBytes(32).toString('base64url');
      const lifeMs = lifeSeconds * 1000;
      live.set(hashToken(ticket).toString('hex'), { actor, expiresMs: clock.steadyMs() + lifeMs });
      return { ticket, url: `${baseUrl.replace(/^http/, 'ws')}/ws?ticket=${ticket}`, expires_at: toInstant(clock.now() + lifeMs) };
    },
    spend(ticket) {
      const hash = hashToken(ticket).toString('hex');
      const found = live.get(hash);
      live.delete(hash);
      return found && isLive(found) && isAlive(found.actor) ? found.actor : undefined;
    },
  };
}
