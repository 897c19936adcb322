// What the group hosts adds to the tables.
import type { Group } from '../../group.ts';
import { hosts } from './extra-rows.ts';

export const group = {
  extra: { hosts },
  about: { hosts: 'Hosts that asked to be left alone.' },
} as const satisfies Group;
