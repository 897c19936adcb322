// What the group notices adds to the tables.
import type { Group } from '../../group.ts';
import { notices } from './extra-rows.ts';

export const group = {
  extra: { notices },
  about: { notices: 'Where people and programs are told of what changed, and what was sent there.' },
} as const satisfies Group;
