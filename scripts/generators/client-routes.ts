// Writes the client's list of routes from the operation tables, so that the client needs no schema at run time.
import { DAEMON_TABLE, EXTRA_TABLE, listOperations } from '@weft/contract';
import type { Operation } from '@weft/contract';
import { z } from 'zod';

/** TypeScript text of `packages/client/src/generated/routes.ts`. */
export function clientRoutes(): string {
  const rows = [...listOperations(DAEMON_TABLE), ...listOperations(EXTRA_TABLE)].map(
    (operation) => `  '${operation.id}': ${JSON.stringify(routeOf(operation))},`,
  );
  return [
    '// Generated from the operation tables by `npm run generate`. Do not edit.',
    "import type { ClientRoute } from '../route.ts';",
    '',
    'export const ROUTES: Readonly<Record<string, ClientRoute>> = {',
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
  return { method: operation.method, path: operation.path, query, answers, kind: kindOf(operation), ...isReplayed };
}

function kindOf(operation: Operation): 'json' | 'none' | 'events' | 'raw' {
  const bodies = Object.values(operation.replies).flatMap((reply) => Object.values(reply.content));
  if (bodies.length === 0) return 'none';
  if (bodies.includes('events')) return 'events';
  return bodies.some((body) => typeof body === 'string') ? 'raw' : 'json';
}
