// What users need beyond the specification: the second table, under /x/ (D1, D51).
import type { OperationTable } from '../operation.ts';
import { crawl } from './crawl.ts';
import { extract } from './extract.ts';
import { files } from './files.ts';
import { map } from './map.ts';
import { token } from './token.ts';

/** The agent's operations under /x, by group and verb. */
export const EXTRA_TABLE = { token, crawl, map, extract, files } as const satisfies OperationTable;
/** The type that handlers and clients of the second table derive from. */
export type ExtraTable = typeof EXTRA_TABLE;
