import { createViewPool } from '@weft/engine/io';

/** What every agent and cloud of a test process reads pages with: a worker of its own would cost each a second. It rests, and keeps no process alive. */
export const testViews = createViewPool();
