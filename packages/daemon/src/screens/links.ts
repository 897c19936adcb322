// Links to the page on which a person acts in a session.
import { LIMITS } from '@weft/contract';
import type { ScreenLink } from '@weft/contract';
import type { Actor } from '@weft/serve';
import type { Tickets } from '../ws-ticket/ticket.ts';
import type { ScreenKind } from './screens.ts';

/** A link that whoever opens it acts by. Its fragment goes to no server. */
export function screenLink(kind: ScreenKind, id: number, actor: Actor, origin: string, tickets: Tickets): ScreenLink {
  const { ticket, expires_at } = tickets.mint(actor, origin, LIMITS.screenTicketSeconds);
  return { url: `${origin}/screen#${new URLSearchParams({ kind, id: String(id), ticket }).toString()}`, expires_at };
}
