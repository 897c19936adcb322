// What the group personas adds to the tables.
import type { Group } from '../../group.ts';
import { personas as extraPersonas } from './extra-rows.ts';
import { personas } from './rows.ts';

export const group = {
  specified: { personas },
  extra: { personas: extraPersonas },
  about: { personas: "Somebody's accounts, and how they sign in." },
} as const satisfies Group;
