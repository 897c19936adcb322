// What the group map adds to the tables.
import type { Group } from '../../group.ts';
import { map } from './extra-rows.ts';

export const group = {
  extra: { map },
  about: { map: 'The addresses of a site.' },
} as const satisfies Group;
