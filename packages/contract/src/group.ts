// What a folder of `groups/` adds to the tables of the agent: its `group.ts` exports it as `group`.
import type { OperationTable } from './operation.ts';

export interface Group {
  /** Operations of the specification, under /v1. */
  readonly specified?: OperationTable;
  /** What users need beyond it, under /x (D1, D51). */
  readonly extra?: OperationTable;
  /** Why it has no commands, where it has none. */
  readonly withoutCommands?: string;
  /** A sentence for each name in either, for the documents. */
  readonly about: Readonly<Record<string, string>>;
}
