// The agent's operation table: all groups that work.
import type { OperationTable } from '../operation.ts';
import { agent } from './agent.ts';
import { crawl, crawlDefinitions } from './crawl.ts';
import { datasets } from './datasets.ts';
import { files } from './files.ts';
import { keys } from './keys.ts';
import { runs } from './runs.ts';
import { wsTicket } from './ws-ticket.ts';

/** The agent's operations under /v1, by group and verb. */
export const DAEMON_TABLE = { agent, runs, files, datasets, crawl, crawlDefinitions, keys, wsTicket } as const satisfies OperationTable;
/** The type that handlers and clients of the agent derive from. */
export type DaemonTable = typeof DAEMON_TABLE;
