// What the group workflows adds to the tables.
import type { Group } from '../../group.ts';
import { workflows as extraWorkflows } from './extra-rows.ts';
import { workflows } from './rows.ts';

export const group = {
  specified: { workflows },
  extra: { workflows: extraWorkflows },
  about: { workflows: 'Steps that are kept and run.' },
} as const satisfies Group;
