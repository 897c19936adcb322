// What users need beyond the specification: the second table, under /x/ (D1, D51).
import type { OperationTable } from '../operation.ts';
import { token } from './token.ts';

export const EXTRA_TABLE = { token } as const satisfies OperationTable;
export type ExtraTable = typeof EXTRA_TABLE;
