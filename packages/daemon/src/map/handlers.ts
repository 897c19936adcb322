// Group Map, under /x/.
import type { ExtraTable } from '@weft/contract';
import type { GroupHandlers } from '@weft/serve';
import type { Maps } from './map.ts';

export function mapHandlers(maps: Maps): GroupHandlers<ExtraTable['map']> {
  return { run: async ({ body, actor, signal }) => ({ status: 200, body: await maps.run(body, actor, signal) }) };
}
