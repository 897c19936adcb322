// The agent's operation table: all groups that work.
import type { OperationTable } from '../operation.ts';
import { agent } from './agent.ts';
import { crawl } from './crawl.ts';
import { keys } from './keys.ts';
import { runs } from './runs.ts';
import { wsTicket } from './ws-ticket.ts';

export const DAEMON_TABLE = { agent, runs, crawl, keys, wsTicket } as const satisfies OperationTable;
export type DaemonTable = typeof DAEMON_TABLE;
