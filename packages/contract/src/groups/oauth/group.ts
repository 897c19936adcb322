// What the group oauth adds to the tables.
import type { Group } from '../../group.ts';
import { oauth } from './extra-rows.ts';

export const group = {
  extra: { oauth },
  about: { oauth: 'Programs that were let in by OAuth 2.1.' },
} as const satisfies Group;
