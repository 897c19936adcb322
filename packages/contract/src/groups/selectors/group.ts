// What the group selectors adds to the tables.
import type { Group } from '../../group.ts';
import { selectors as extraSelectors } from './extra-rows.ts';
import { selectors } from './rows.ts';

export const group = {
  specified: { selectors },
  extra: { selectors: extraSelectors },
  withoutCommands: 'They are commands of weft monitor.',
  about: { selectors: 'Where on its page a monitor looks.' },
} as const satisfies Group;
