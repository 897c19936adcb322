// What the group extract adds to the tables.
import type { Group } from '../../group.ts';
import { extract } from './extra-rows.ts';

export const group = {
  extra: { extract },
  about: { extract: 'Parts of one page, answered at once.' },
} as const satisfies Group;
