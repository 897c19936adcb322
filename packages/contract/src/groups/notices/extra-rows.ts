// Group Notices: channels, and deliveries to them.
import { z } from 'zod';
import { instantText, integerText, listQuery, rowIdText } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import type { OperationGroup } from '../../operation.ts';
import { cursorList, json, list, none } from '../../replies.ts';
import { Channel, ChannelPatch, NewChannel } from './channel.ts';
import { Delivery, DeliveryDetails, DeliveryStatus, DeliveryTry } from './delivery.ts';

const params = z.strictObject({ id: rowIdText });

export const notices = {
  channels: {
    id: 'notices.channels',
    method: 'GET',
    path: '/x/notices/channels',
    summary: 'list channels',
    scopes: ['read'],
    query: z.strictObject(listQuery),
    replies: { 200: list(Channel, 'Channels in the order in which they were made.') },
  },
  createChannel: {
    id: 'notices.createChannel',
    method: 'POST',
    path: '/x/notices/channels',
    summary: 'create a channel',
    scopes: ['admin'],
    body: NewChannel,
    replies: { 201: json(Channel, 'The channel; its secret values are sealed.') },
    errors: ['conflict', 'vault_locked'],
    idempotency: 'replay',
  },
  channel: {
    id: 'notices.channel',
    method: 'GET',
    path: '/x/notices/channels/{id}',
    summary: 'read a channel',
    scopes: ['read'],
    params,
    replies: { 200: json(Channel, 'What is told of it.') },
    errors: ['not_found'],
  },
  updateChannel: {
    id: 'notices.updateChannel',
    method: 'PATCH',
    path: '/x/notices/channels/{id}',
    summary: 'update a channel, switch it off or on again',
    scopes: ['admin'],
    params,
    body: ChannelPatch,
    replies: { 200: json(Channel, 'The channel as it is now.') },
    errors: ['not_found', 'vault_locked'],
  },
  deleteChannel: {
    id: 'notices.deleteChannel',
    method: 'DELETE',
    path: '/x/notices/channels/{id}',
    summary: 'delete a channel with its queue',
    scopes: ['admin'],
    params,
    replies: { 204: none('It is gone; nothing more is sent there.') },
    errors: ['not_found', 'vault_locked'],
  },
  testChannel: {
    id: 'notices.testChannel',
    method: 'POST',
    path: '/x/notices/channels/{id}/test',
    summary: 'send a message to a channel now',
    scopes: ['admin'],
    params,
    replies: {
      200: json(DeliveryTry, 'How it went; a failure is an answer too. It is sent in quiet hours and to a muted channel as well.'),
    },
    errors: ['not_found', 'vault_locked'],
  },
  muteChannel: {
    id: 'notices.muteChannel',
    method: 'POST',
    path: '/x/notices/channels/{id}/mute',
    summary: 'keep a channel silent for a time',
    scopes: ['admin'],
    params,
    body: z.strictObject({
      until: instantText.nullable().describe('What comes before is dropped, and what waited already is sent then. null: it speaks again.'),
    }),
    replies: { 200: json(Channel, 'The channel as it is now.') },
    errors: ['not_found'],
  },
  deliveries: {
    id: 'notices.deliveries',
    method: 'GET',
    path: '/x/notices/deliveries',
    summary: 'list deliveries',
    scopes: ['read'],
    query: z.strictObject({
      limit: integerText(1, LIMITS.listLimitMax).optional().describe(`How many at most; ${LIMITS.listLimitDefault} unless said.`),
      cursor: z.string().max(200).optional().describe('`next_cursor` of the answer before.'),
      channel_id: rowIdText.optional(),
      status: DeliveryStatus.optional(),
    }),
    replies: { 200: cursorList(Delivery, 'Deliveries, newest first; kept for 30 days.') },
  },
  delivery: {
    id: 'notices.delivery',
    method: 'GET',
    path: '/x/notices/deliveries/{id}',
    summary: 'read a delivery with its attempts',
    scopes: ['read'],
    params,
    replies: { 200: json(DeliveryDetails, 'What it carries, and how it went.') },
    errors: ['not_found'],
  },
  redeliver: {
    id: 'notices.redeliver',
    method: 'POST',
    path: '/x/notices/deliveries/{id}/redeliver',
    summary: 'send a delivery again',
    scopes: ['admin'],
    params,
    replies: { 200: json(Delivery, 'It waits to be sent, under the id that it had.') },
    errors: ['not_found', 'conflict'],
  },
} as const satisfies OperationGroup;
