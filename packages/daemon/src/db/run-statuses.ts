// Statuses of runs as SQL has them.
import { LIVE_STATUSES } from '@weft/contract';

/** The statuses of a run that can still change: `status IN (${LIVE})`. */
export const LIVE = LIVE_STATUSES.map((status) => `'${status}'`).join(', ');
