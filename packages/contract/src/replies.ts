// Short constructors for the replies of the operation table.
import { z } from 'zod';
import type { Reply } from './operation.ts';

/** A JSON body. */
export const json = <S extends z.ZodType>(schema: S, description: string) =>
  ({ description, content: { 'application/json': schema } }) satisfies Reply;

/** `{data, count}`, the envelope of most lists. */
export const list = <S extends z.ZodType>(item: S, description: string) =>
  ({
    description,
    content: { 'application/json': z.strictObject({ data: z.array(item), count: z.int().min(0).describe('Length of `data`.') }) },
    envelope: 'data',
  }) satisfies Reply;

/** A bare array, the envelope of the five lists that the specification names; whole unless `limit` is sent (D6). */
export const bareList = <S extends z.ZodType>(item: S, description: string) =>
  ({ description, content: { 'application/json': z.array(item) }, envelope: 'array' }) satisfies Reply;

/** `{data, count, total}`, the envelope of the run feed. */
export const listWithTotal = <S extends z.ZodType>(item: S, description: string) =>
  ({
    description,
    content: {
      'application/json': z.strictObject({
        data: z.array(item),
        count: z.int().min(0).describe('Length of `data`.'),
        total: z.int().min(0).describe('All that match, on every page.'),
      }),
    },
    envelope: 'data_total',
  }) satisfies Reply;

/** `{data, count, next_cursor?}`, the envelope of what pages by cursor (D6). */
export const cursorList = <S extends z.ZodType>(item: S, description: string) =>
  ({
    description,
    content: {
      'application/json': z.strictObject({
        data: z.array(item),
        count: z.int().min(0).describe('Length of `data`.'),
        next_cursor: z.string().optional().describe('Send as `cursor` for what follows; absent at the end.'),
      }),
    },
    envelope: 'data',
  }) satisfies Reply;

/** No body. */
export const none = (description: string) => ({ description, content: {} }) satisfies Reply;

/** Server-sent events. */
export const events = (description: string) => ({ description, content: { 'text/event-stream': 'events' } }) satisfies Reply;
