// What the group runs adds to the tables.
import type { Group } from '../../group.ts';
import { runs } from './rows.ts';

export const group = {
  specified: { runs },
  about: { runs: 'Everything that executes.' },
} as const satisfies Group;
