// Group WebSocket tickets.
import type { DaemonTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import type { Tickets } from './ticket.ts';

export function ticketHandlers(tickets: Tickets): GroupHandlers<DaemonTable['wsTicket']> {
  return { create: ({ actor, origin }) => ({ status: 201, body: tickets.mint(actor, origin) }) };
}
