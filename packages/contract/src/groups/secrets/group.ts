// What the group secrets adds to the tables.
import type { Group } from '../../group.ts';
import { secrets } from './rows.ts';

export const group = {
  specified: { secrets },
  about: { secrets: 'Values that are sent to their origins and shown to nobody.' },
} as const satisfies Group;
