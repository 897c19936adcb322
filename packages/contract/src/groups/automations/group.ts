// What the group automations adds to the tables.
import type { Group } from '../../group.ts';
import { automations } from './rows.ts';

export const group = {
  specified: { automations },
  about: { automations: 'What is done by itself when something changes, ends or is due.' },
} as const satisfies Group;
