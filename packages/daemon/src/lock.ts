// One agent per home. The lock is the operating system's, so it dies with the process, however that ends.
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from './config.ts';
import { isDatabaseFault } from './db/fault.ts';

export interface InstanceLock {
  release(): void;
}

const BUSY = 5;

/** Takes the lock at `path`. Throws ConfigError when another agent holds it, or when the file can't be used. */
export function takeInstanceLock(path: string): InstanceLock {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    database?.close();
    throw refusal(path, error);
  }
  const held = database;
  return { release: () => held.close() };
}

function refusal(path: string, error: unknown): ConfigError {
  if (isDatabaseFault(error) && (error.errcode & 0xff) === BUSY)
    return new ConfigError('Another agent is running on this home. `weft status` shows it; `weft daemon stop` ends it.');
  return new ConfigError(
    `The lock ${path} can't be taken: ${(error as Error).message}. Free space or mend the permissions of its folder and start again.`,
  );
}
