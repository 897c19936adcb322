// What the group WebSocket tickets adds to the tables.
import type { Group } from '../../group.ts';
import { wsTicket } from './rows.ts';

export const group = {
  specified: { wsTicket },
  about: { wsTicket: 'Tickets for the WebSocket.' },
} as const satisfies Group;
