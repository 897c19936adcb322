// Group Extract, under /x/.
import type { ExtraTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import type { Extractions } from './extract.ts';

export function extractHandlers(extractions: Extractions): GroupHandlers<ExtraTable['extract']> {
  return { run: async ({ body, actor, signal }) => ({ status: 200, body: await extractions.run(body, actor, signal) }) };
}
