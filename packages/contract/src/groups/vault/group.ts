// What the group vault adds to the tables.
import type { Group } from '../../group.ts';
import { vault as extra } from './extra-rows.ts';
import { vault } from './rows.ts';

export const group = {
  specified: { vault },
  extra: { vault: extra },
  about: { vault: 'What keeps secrets sealed, and whether it is open.' },
} as const satisfies Group;
