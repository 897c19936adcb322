// What the group runs adds to the tables.
import type { Group } from '../../group.ts';
import { runs as extraRuns } from './extra-rows.ts';
import { runs } from './rows.ts';

export const group = {
  specified: { runs },
  extra: { runs: extraRuns },
  withoutCommands: 'A run is shown by the commands of what it is a run of.',
  about: { runs: 'Everything that executes.' },
} as const satisfies Group;
