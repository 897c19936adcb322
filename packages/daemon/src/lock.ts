// One agent per home. The lock is the operating system's, so it dies with the process, however that ends.
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from './config.ts';

export interface InstanceLock {
  release(): void;
}

/** Takes the lock at `path`. Throws ConfigError when another agent holds it. */
export function takeInstanceLock(path: string): InstanceLock {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch {
    database.close();
    throw new ConfigError('Another agent is running on this home. `weft status` shows it; `weft daemon stop` ends it.');
  }
  return { release: () => database.close() };
}
