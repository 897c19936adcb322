// Beyond the specification: whether the bytes of files are still what they were.
import { z } from 'zod';
import type { OperationGroup } from '../../operation.ts';
import { json } from '../../replies.ts';
import { FileDescriptor } from './file.ts';

/** What a look at all contents found. */
export const VerifiedFiles = z
  .strictObject({
    contents: z.int().min(0).describe('How many were read; files with the same bytes share one.'),
    bytes: z.int().min(0),
    damaged: z.array(FileDescriptor).describe('Files whose bytes are gone or no longer what was kept.'),
  })
  .meta({ id: 'VerifiedFiles' });

export const files = {
  verify: {
    id: 'files.verify',
    method: 'POST',
    path: '/x/files/verify',
    summary: 'read all files and hold their bytes against their hashes',
    scopes: ['admin'],
    replies: { 200: json(VerifiedFiles, 'What was read, and what of it is damaged.') },
  },
} as const satisfies OperationGroup;
