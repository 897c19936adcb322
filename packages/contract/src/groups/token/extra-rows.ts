// Beyond the specification: the runtime token (D14).
import { z } from 'zod';
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';

export const RotatedToken = z
  .strictObject({ token: z.string(), file: z.string().describe('Where it is kept.') })
  .meta({ id: 'RotatedToken' });

export const token = {
  rotate: {
    id: 'token.rotate',
    method: 'POST',
    path: '/x/token/rotate',
    summary: 'replace the runtime token; streams and tickets of the old one end',
    scopes: ['runtime'],
    replies: { 200: json(RotatedToken, 'The new token; the old one is dead.') },
  },
} as const satisfies OperationGroup;
