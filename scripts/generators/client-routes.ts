// Writes the client's lists of routes from the operation tables, so that the client needs no schema at run time.
import { ACCOUNT_TABLE, CLOUD_TABLE, DAEMON_TABLE, EXTRA_TABLE, listOperations } from '@weft/contract';
import type { Operation, OperationTable } from '@weft/contract';
import { z } from 'zod';

/** TypeScript text of `packages/client/src/generated/routes.ts`. */
export function clientRoutes(): string {
  return routesOf('ROUTES', [DAEMON_TABLE, EXTRA_TABLE]);
}

/** TypeScript text of `packages/client/src/generated/cloud-routes.ts`. */
export function cloudRoutes(): string {
  return routesOf('CLOUD_ROUTES', [CLOUD_TABLE, ACCOUNT_TABLE]);
}

function routesOf(name: string, tables: readonly OperationTable[]): string {
  const rows = tables.flatMap(listOperations).map((operation) => `  '${operation.id}': ${JSON.stringify(routeOf(operation))},`);
  return [
    '// Generated from the operation tables by `npm run generate`. Do not edit.',
    "import type { ClientRoute } from '../route.ts';",
    '',
    `export const ${name}: Readonly<Record<string, ClientRoute>> = {`,
    ...rows,
    '};',
    '',
  ].join('\n');
}

function routeOf(operation: Operation) {
  const query = operation.query instanceof z.ZodObject ? Object.keys(operation.query.shape) : [];
  const answers = Object.keys(operation.replies)
    .map(Number)
    .filter((status) => status >= 300);
  const isReplayed = operation.idempotency === 'replay' ? { isReplayed: true } : {};
  return { method: operation.method, path: operation.path, query, answers, kind: kindOf(operation), ...isReplayed, ...shownBy(operation) };
}

/** Where a row takes something else than the token of its surface. */
function shownBy({ credentials }: Operation): { readonly by?: 'device' | 'consumer' } {
  if (credentials?.includes('keyless')) return { by: 'device' };
  return credentials?.includes('csk') ? { by: 'consumer' } : {};
}

function kindOf(operation: Operation): 'json' | 'none' | 'events' | 'raw' {
  const bodies = Object.values(operation.replies).flatMap((reply) => Object.values(reply.content));
  if (bodies.length === 0) return 'none';
  if (bodies.includes('events')) return 'events';
  return bodies.some((body) => typeof body === 'string') ? 'raw' : 'json';
}
