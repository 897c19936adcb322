// What the agent says of itself.
import { z } from 'zod';
import { instant } from '../../ids.ts';

/** What `GET /v1/agent` answers: which agent this is, since when, and how busy. */
export const AgentStatus = z
  .strictObject({
    name: z.literal('weft'),
    version: z.string(),
    instance_id: z.string(),
    base_url: z.string(),
    https_url: z.string().optional(),
    started_at: instant,
    uptime_seconds: z.int().min(0),
    runs: z.strictObject({ queued: z.int().min(0), running: z.int().min(0) }),
    vault: z
      .strictObject({ locked: z.boolean(), passphrase: z.boolean(), waiting: z.int().min(0).describe('How many things wait for it.') })
      .optional()
      .describe('Absent until the vault exists.'),
  })
  .meta({ id: 'AgentStatus' });
export type AgentStatus = z.infer<typeof AgentStatus>;

/** One thing that was looked at, how it is, and what mends it. */
export const HealthPart = z
  .strictObject({
    name: z.string(),
    status: z.enum(['ok', 'warn', 'fail']),
    message: z.string(),
    fix: z.string().optional().describe('A command or sentence that mends it.'),
  })
  .meta({ id: 'HealthPart' });
export type HealthPart = z.infer<typeof HealthPart>;

/** The parts of the agent, each with its state, and the worst of them. */
export const Health = z
  .strictObject({ status: z.enum(['ok', 'warn', 'fail']).describe('The worst of the parts.'), parts: z.array(HealthPart) })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof Health>;

/** A ticket that opens one WebSocket within 30 seconds (D17). */
export const Ticket = z
  .strictObject({
    ticket: z.string().describe('Single use.'),
    url: z.string().describe('Where to open the WebSocket.'),
    expires_at: instant,
  })
  .meta({ id: 'WebSocketTicket' });
export type Ticket = z.infer<typeof Ticket>;
