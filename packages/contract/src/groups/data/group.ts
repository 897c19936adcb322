// What the group data adds to the tables.
import type { Group } from '../../group.ts';
import { data } from './rows.ts';

export const group = {
  specified: { data },
  about: { data: 'Tables over the rows of workflows.' },
} as const satisfies Group;
