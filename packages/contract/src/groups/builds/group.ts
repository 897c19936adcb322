// What the group builds adds to the tables.
import type { Group } from '../../group.ts';
import { builds } from './extra-rows.ts';

export const group = {
  extra: { builds },
  about: { builds: 'A site becomes an API, and each function is proved.' },
} as const satisfies Group;
