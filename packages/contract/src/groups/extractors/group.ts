// What the group extractors adds to the tables.
import type { Group } from '../../group.ts';
import { extractors } from './rows.ts';

export const group = {
  specified: { extractors },
  withoutCommands: 'They are commands of weft monitor.',
  about: { extractors: 'What is made of what a selector finds.' },
} as const satisfies Group;
