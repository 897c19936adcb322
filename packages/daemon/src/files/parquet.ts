// Parquet through DuckDB, where it is installed: it is large, and few need it.
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@weft/contract';

/** What is used of `@duckdb/node-api`. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(
      path: string,
      options: Readonly<Record<string, string>>,
    ): Promise<{ connect(): Promise<{ run(sql: string): Promise<unknown>; closeSync(): void }>; closeSync(): void }>;
  };
}

const PACKAGE: string = '@duckdb/node-api';
/** Nothing is fetched, and no file outside the scratch folder is needed. */
const OPTIONS = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false', threads: '2' };

/** The bytes of a Parquet file with the rows of `jsonLines`; drafts stand in `scratch`. Throws AppError `bad_request` where DuckDB is missing. */
export async function* writeParquet(jsonLines: AsyncIterable<Uint8Array>, scratch: string): AsyncGenerator<Uint8Array> {
  const { DuckDBInstance } = await importDuckDb();
  const folder = join(scratch, randomUUID());
  await mkdir(folder, { recursive: true });
  try {
    const [from, to] = [join(folder, 'rows.jsonl'), join(folder, 'rows.parquet')];
    await pipeline(jsonLines, createWriteStream(from));
    const instance = await DuckDBInstance.create(':memory:', OPTIONS);
    const connection = await instance.connect();
    try {
      const rows = `read_json(${quote(from)}, format = 'newline_delimited', sample_size = -1, maximum_object_size = 268435456)`;
      await connection.run(`COPY (SELECT * FROM ${rows}) TO ${quote(to)} (FORMAT parquet, COMPRESSION zstd)`);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
    yield* createReadStream(to) as AsyncIterable<Uint8Array>;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function importDuckDb(): Promise<DuckDb> {
  try {
    return (await import(PACKAGE)) as DuckDb;
  } catch (error) {
    throw new AppError(
      'bad_request',
      `Parquet needs the package ${PACKAGE}: run "npm install ${PACKAGE}" where Weft is installed, or take csv, jsonl or xlsx.`,
      {
        cause: error,
      },
    );
  }
}

function quote(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}
