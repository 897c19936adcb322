// Finds the operation that a method and a path name, from the tables.
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import type { Operation, OperationTable } from '@weft/contract';

/** One operation with the handler that serves it. */
export interface Route<Handler> {
  readonly operation: Operation;
  readonly handler: Handler;
}

export interface Match<Handler> {
  /** The routes of this path by method. */
  readonly byMethod: ReadonlyMap<string, Route<Handler>>;
  /** Percent-decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Routes<Handler> {
  find(path: string): Match<Handler> | undefined;
}

/** Routes of several tables; a path or method that stands in two of them is a programming error and throws. */
export function createRoutes<Handler>(
  tables: readonly { readonly table: OperationTable; readonly handlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> }[],
): Routes<Handler> {
  const paths = collectPaths(tables);
  const router = new SmartRouter<Map<string, Route<Handler>>>({ routers: [new RegExpRouter(), new TrieRouter()] });
  // Fixed segments go first, so that /v1/crawl/definitions is not read as /v1/crawl/{id}.
  for (const path of [...paths.keys()].sort((a, b) => Number(a.includes('{')) - Number(b.includes('{'))))
    router.add('GET', path.replaceAll(/\{(\w+)\}/g, ':$1'), paths.get(path) as Map<string, Route<Handler>>);
  return {
    find(path) {
      const [found, stash] = router.match('GET', path);
      const first = found[0];
      if (!first) return undefined;
      const params: Record<string, string> = {};
      for (const [name, value] of Object.entries(first[1])) {
        const text = typeof value === 'number' ? stash?.[value] : value;
        const decoded = text === undefined ? undefined : decodeSegment(text);
        if (decoded === undefined) return undefined;
        params[name] = decoded;
      }
      return { byMethod: first[0], params };
    },
  };
}

function collectPaths<Handler>(tables: Parameters<typeof createRoutes<Handler>>[0]): Map<string, Map<string, Route<Handler>>> {
  const paths = new Map<string, Map<string, Route<Handler>>>();
  for (const { table, handlers } of tables)
    for (const [group, operations] of Object.entries(table))
      for (const [verb, operation] of Object.entries(operations)) {
        const handler = handlers[group]?.[verb];
        if (!handler) throw new Error(`No handler for ${operation.id}.`);
        const byMethod = paths.get(operation.path) ?? new Map<string, Route<Handler>>();
        if (byMethod.has(operation.method)) throw new Error(`${operation.method} ${operation.path} stands twice in the operation tables.`);
        paths.set(operation.path, byMethod.set(operation.method, { operation, handler }));
      }
  return paths;
}

function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
