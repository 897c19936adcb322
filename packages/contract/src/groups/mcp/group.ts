// What the group mcp adds to the tables.
import type { Group } from '../../group.ts';
import { mcp } from './extra-rows.ts';

export const group = {
  extra: { mcp },
  about: { mcp: 'The Model Context Protocol.' },
} as const satisfies Group;
