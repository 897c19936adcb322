// Runs the agent's program that writes rows as a file. The command line holds no writer of its own.
import { spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const ROWS_MAIN = fileURLToPath(new URL('../../daemon/src/datasets/export/rows-main.ts', import.meta.url));

/** How it writes rows. */
export const ROW_FORMATS = ['json', 'csv', 'jsonl', 'xlsx', 'markdown', 'html'] as const;

/** How rows are written. */
export interface RowsForm {
  readonly format: string;
  /** Name of a sheet, title of a page. */
  readonly title: string;
  /** The columns, in this order; undefined for all that the rows have. */
  readonly fields: readonly string[] | undefined;
  /** CSV: begins with a byte order mark. */
  readonly hasMark?: boolean;
}

/** The bytes of a file that holds `rows`. */
export async function* writtenRows(
  rows: Iterable<object> | AsyncIterable<object>,
  { format, title, fields, hasMark = false }: RowsForm,
): AsyncGenerator<Uint8Array> {
  const columns = fields ? JSON.stringify(fields) : '';
  const child = spawn(process.execPath, [ROWS_MAIN, format, title, columns, '', hasMark ? 'mark' : ''], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  // Where it dies early, its exit code says so.
  child.stdin.on('error', () => undefined);
  const sent = pipeline(linesOf(rows), child.stdin);
  // Told below, once the program has ended.
  sent.catch(() => undefined);
  try {
    for await (const piece of child.stdout) yield piece as Uint8Array;
    const code = await ended;
    if (code !== 0) throw new Error(`The rows could not be written as ${format}: the program that does ended with ${code}.`);
    await sent;
  } finally {
    child.kill();
  }
}

/** A line of JSON for each. */
export async function* linesOf(rows: Iterable<object> | AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
