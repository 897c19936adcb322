// What the group files adds to the tables.
import type { Group } from '../../group.ts';
import { files as extraFiles } from './extra-rows.ts';
import { files } from './rows.ts';

export const group = {
  specified: { files },
  extra: { files: extraFiles },
  about: { files: 'Bytes that were uploaded or written from data.' },
} as const satisfies Group;
