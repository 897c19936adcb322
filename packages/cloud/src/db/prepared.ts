// Statements that are asked often are prepared, so that PostgreSQL plans them once for a connection: planning one takes it as long as doing it.
import { hash } from 'node:crypto';
import type { Client, PoolClient, QueryConfig } from 'pg';

/** What is asked less often than this is planned each time, and takes no memory of the server's. */
const OFTEN = 20;
/** Of a process; a plan takes some tens of kilobytes in each connection. */
const TEXTS_MAX = 200;
/** What such a statement answers changes with its tables, which a plan that is kept does not survive: another release may migrate them. */
const ANSWERS_ALL = /\b(?:SELECT|RETURNING)\s+(?:\w+\.)?\*/i;

export interface Prepared {
  /** A statement as it is to be asked on a connection that is not shared. */
  of(text: string, values: unknown[]): QueryConfig;
}

/** Counts what one process asks. */
export function createPrepared(): Prepared {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  return {
    of(text, values) {
      const name = names.get(text) ?? nameOnceOften(text, counts, names);
      return { ...(name === undefined ? {} : { name }), text, values };
    },
  };
}

function nameOnceOften(text: string, counts: Map<string, number>, names: Map<string, string>): string | undefined {
  if (names.size >= TEXTS_MAX || ANSWERS_ALL.test(text)) return undefined;
  const count = (counts.get(text) ?? 0) + 1;
  counts.set(text, count);
  if (count < OFTEN) return undefined;
  const name = hash('sha256', text).slice(0, 32);
  counts.delete(text);
  names.set(text, name);
  return name;
}

/**
 * Whether nobody stands between the client and its server: a pooler that gives connections on between transactions tells its own process id,
 * and keeps no statements.
 */
export async function isDirect(client: Client | PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  // The id that the connection was opened with; the types of the client have no word for it.
  const { processID } = client as unknown as { readonly processID?: unknown };
  return rows[0]?.pid === processID;
}
