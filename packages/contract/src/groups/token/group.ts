// What the group token adds to the tables.
import type { Group } from '../../group.ts';
import { token } from './extra-rows.ts';

export const group = {
  extra: { token },
  about: { token: 'The runtime token.' },
} as const satisfies Group;
