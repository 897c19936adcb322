// What the group personas adds to the tables.
import type { Group } from '../../group.ts';
import { personas } from './rows.ts';

export const group = {
  specified: { personas },
  about: { personas: "Somebody's accounts, and how they sign in." },
} as const satisfies Group;
