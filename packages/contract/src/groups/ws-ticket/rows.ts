// Group WebSocket tickets (D17).
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { Ticket } from '../agent/agent.ts';

export const wsTicket = {
  create: {
    id: 'wsTicket.create',
    method: 'POST',
    path: '/v1/ws-ticket',
    summary: 'mint a single-use WebSocket ticket',
    scopes: ['run'],
    replies: { 201: json(Ticket, 'Open `url` within thirty seconds; the ticket works once.') },
  },
} as const satisfies OperationGroup;
