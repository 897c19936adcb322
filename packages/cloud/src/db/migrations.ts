// The schema, forward only: a number that was released is never changed. Each statement holds beside the program of the number before.
import { ACCOUNTS } from './migrations/accounts.ts';
import { BUILDS } from './migrations/builds.ts';
import { CLOSING } from './migrations/closing.ts';
import { CRAWLS } from './migrations/crawls.ts';
import { HEALTH } from './migrations/health.ts';
import { LINES } from './migrations/lines.ts';
import { PUBLISHED } from './migrations/published.ts';
import { RUNNING } from './migrations/running.ts';
import { TARGETS } from './migrations/targets.ts';
import { TURNS } from './migrations/turns.ts';

/** In their order: the first one is number 1. */
export const MIGRATIONS: readonly string[] = [ACCOUNTS, CRAWLS, TARGETS, PUBLISHED, RUNNING, BUILDS, HEALTH, TURNS, LINES, CLOSING];
