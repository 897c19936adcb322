// What the group datasets adds to the tables.
import type { Group } from '../../group.ts';
import { datasets as extraDatasets } from './extra-rows.ts';
import { datasets } from './rows.ts';

export const group = {
  specified: { datasets },
  extra: { datasets: extraDatasets },
  about: { datasets: 'The rows and pages of all runs.' },
} as const satisfies Group;
