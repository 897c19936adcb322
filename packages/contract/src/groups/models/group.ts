// What the group models adds to the tables.
import type { Group } from '../../group.ts';
import { models } from './extra-rows.ts';

export const group = {
  extra: { models },
  about: { models: 'The model that the settings name.' },
} as const satisfies Group;
