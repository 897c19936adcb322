// Deliveries: what was told to a channel, and what became of it.
import { z } from 'zod';
import { instant } from '../../ids.ts';
import { NoticeLevel } from './channel.ts';

/** `pending` waits to be sent, again where it failed; `collected` went into a message with others; `dropped` was never to be sent. */
export const DeliveryStatus = z.enum(['pending', 'sent', 'failed', 'collected', 'dropped']);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** What a notice is about. */
export const NoticeSubject = z
  .strictObject({
    kind: z.enum(['monitor', 'automation', 'build', 'run', 'channel', 'agent']),
    id: z.int().min(0).optional(),
    name: z.string().max(200).optional(),
  })
  .meta({ id: 'NoticeSubject' });
export type NoticeSubject = z.infer<typeof NoticeSubject>;

/** What a notice carries beside its event: small, for it goes through servers of others. */
export const NoticeData = z.record(z.string(), z.unknown()).meta({ id: 'NoticeData' });
export type NoticeData = z.infer<typeof NoticeData>;

/** One attempt to send. */
export const DeliveryTry = z
  .strictObject({
    at: instant,
    outcome: z.enum(['sent', 'failed']),
    status: z.int().optional().describe('Of the HTTP answer, or of the mail server.'),
    duration_ms: z.int().min(0),
    answer: z.string().optional().describe('The first bytes of the answer, secrets masked.'),
    error: z.string().optional(),
    note: z.string().optional().describe('What was not as asked for, such as a template that failed.'),
  })
  .meta({ id: 'DeliveryTry' });
export type DeliveryTry = z.infer<typeof DeliveryTry>;

const delivery = {
  id: z.int(),
  message_id: z.string().describe('The same in every attempt; `webhook-id` of a webhook.'),
  channel_id: z.int(),
  event: z.string(),
  level: NoticeLevel,
  subject: NoticeSubject,
  status: DeliveryStatus,
  reason: z.string().optional().describe('Why it was dropped or given up, or waits.'),
  collected_into: z.int().optional().describe('The delivery whose message holds it.'),
  attempts: z.int().min(0),
  next_at: instant.optional().describe('When it is sent next, unless the channel rests.'),
  created_at: instant,
  settled_at: instant.optional(),
};

/** A row of the list. */
export const Delivery = z.strictObject(delivery).meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

/** A delivery with what it carries and how it went. */
export const DeliveryDetails = z
  .strictObject({ ...delivery, data: NoticeData, tries: z.array(DeliveryTry).describe('The newest last, at most 50.') })
  .meta({ id: 'DeliveryDetails' });
export type DeliveryDetails = z.infer<typeof DeliveryDetails>;
