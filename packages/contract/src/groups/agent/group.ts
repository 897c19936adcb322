// What the group agent adds to the tables.
import type { Group } from '../../group.ts';
import { agent } from './rows.ts';

export const group = {
  specified: { agent },
  about: { agent: 'The agent itself.' },
} as const satisfies Group;
