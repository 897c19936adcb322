// What the group monitors adds to the tables.
import type { Group } from '../../group.ts';
import { monitorTags, monitors as extraMonitors } from './extra-rows.ts';
import { monitors } from './rows.ts';

export const group = {
  specified: { monitors },
  extra: { monitors: extraMonitors, monitorTags },
  about: {
    monitors: 'Pages and workflows that are looked at again and again, and what changed.',
    monitorTags: 'Settings that monitors share by naming a tag.',
  },
} as const satisfies Group;
