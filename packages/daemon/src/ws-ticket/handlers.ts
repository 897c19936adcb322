// Group WebSocket tickets.
import type { DaemonTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import type { Tickets } from './ticket.ts';

export function ticketHandlers(tickets: Tickets, baseUrl: () => string): GroupHandlers<DaemonTable['wsTicket']> {
  return { create: ({ actor }) => ({ status: 201, body: tickets.mint(actor, baseUrl()) }) };
}
