// What the group recordings adds to the tables.
import type { Group } from '../../group.ts';
import { recordings } from './extra-rows.ts';

export const group = {
  extra: { recordings },
  about: { recordings: 'What a person does in a browser, on its way to a workflow.' },
} as const satisfies Group;
