// Pictures of pages (D10): read by links that the pages of scrapes and crawls carry, and that expire.
import { z } from 'zod';
import { integerText } from '../ids.ts';
import type { OperationGroup } from '../operation.ts';

/** A picture for whoever has its link. */
export const pictures = {
  read: {
    id: 'pictures.read',
    method: 'GET',
    path: '/api/account/pictures/{id}',
    summary: 'read a picture by its link',
    scopes: ['read'],
    credentials: ['none', 'wt'],
    params: z.strictObject({ id: z.string().regex(/^pic_[A-Za-z0-9_-]{22}$/, 'must be the id of a picture, `pic_...`') }),
    query: z.strictObject({
      expires: integerText(1, 100_000_000_000).describe('Seconds since 1970, as the link says.'),
      signature: z.string().min(1).max(100).describe('As the link says.'),
    }),
    replies: { 200: { description: 'The PNG or PDF, as an attachment.', content: { '*/*': 'bytes' } } },
    errors: ['not_found'],
  },
} as const satisfies OperationGroup;
