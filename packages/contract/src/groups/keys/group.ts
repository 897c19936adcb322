// What the group keys adds to the tables.
import type { Group } from '../../group.ts';
import { keys } from './rows.ts';

export const group = {
  specified: { keys },
  about: { keys: 'Restricted keys.' },
} as const satisfies Group;
