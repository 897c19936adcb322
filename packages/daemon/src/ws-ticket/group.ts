// What WebSocket tickets add to the agent.
import type { Group } from '../group.ts';
import { ticketHandlers } from './handlers.ts';
import type { Tickets } from './ticket.ts';
import { createTickets } from './ticket.ts';

declare module '../group.ts' {
  interface Nouns {
    readonly tickets: Tickets;
  }
}

export const group: Group = {
  nouns: { tickets: ({ clock, identity }) => createTickets({ clock, isAlive: (actor) => identity.isAlive(actor) }) },
  specified: ({ tickets }) => ({ wsTicket: ticketHandlers(tickets) }),
};
