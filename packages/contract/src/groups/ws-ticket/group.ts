// What the group WebSocket tickets adds to the tables.
import type { Group } from '../../group.ts';
import { wsTicket } from './rows.ts';

export const group = {
  specified: { wsTicket },
  withoutCommands: 'A ticket is for programs that hold a socket.',
  about: { wsTicket: 'Tickets for the WebSocket.' },
} as const satisfies Group;
