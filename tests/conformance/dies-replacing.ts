// A program that ends itself with SIGKILL while rows of runs replace each other or are deleted: `node dies-replacing.ts <home> <moment>`.
import { join } from 'node:path';
import { createDatasetRunStore } from '../../packages/daemon/src/datasets/run-store.ts';
import { createDatasetUpkeep } from '../../packages/daemon/src/datasets/upkeep.ts';
import type { Database } from '../../packages/daemon/src/db/open.ts';
import { openDatabase } from '../../packages/daemon/src/db/open.ts';
import { createRunStore } from '../../packages/daemon/src/runs/store.ts';

interface Moment {
  readonly act: 'settle' | 'drop' | 'sweep';
  /** What is written when the program dies, in a transaction that nobody commits. */
  readonly on: string;
  /** How often that happens before. */
  readonly times: number;
  /** Whether it happens where rows are replaced by key, too: settling changes nothing there. */
  readonly isByKey?: true;
}

/** Run 3 is live, 2 is shown, and 1 is out of the index. A turn of the upkeep is 200 records. */
export const MOMENTS: Readonly<Record<string, Moment>> = {
  'settling writes its status': { act: 'settle', on: 'UPDATE OF status ON main.run', times: 0, isByKey: true },
  'settling writes which run is shown': { act: 'settle', on: 'UPDATE OF newest_run_id ON main.dataset', times: 0 },
  'settling writes which run is hidden': { act: 'settle', on: 'UPDATE OF is_hidden ON main.dataset_run', times: 1 },
  'the replaced run leaves the index': { act: 'sweep', on: 'UPDATE OF is_hidden ON main.dataset_run', times: 2 },
  'a deletion brings the first records of the older back': { act: 'drop', on: 'UPDATE OF is_hidden ON main.dataset_run', times: 0 },
  'a deletion brings more of the older back': { act: 'drop', on: 'UPDATE OF is_hidden ON main.dataset_run', times: 2 },
  'a deletion takes the run out of the view': { act: 'drop', on: 'UPDATE OF newest_run_id ON main.dataset', times: 0 },
  'a deletion deletes its first record': { act: 'drop', on: 'DELETE ON main.record', times: 0, isByKey: true },
  'a deletion deletes another record': { act: 'drop', on: 'DELETE ON main.record', times: 250, isByKey: true },
  'a deletion is done': { act: 'drop', on: 'DELETE ON main.dataset_run', times: 0, isByKey: true },
};

/** Does what dies at a moment, to its end. */
export async function act(database: Database, { act: name }: Pick<Moment, 'act'>): Promise<void> {
  const upkeep = createDatasetUpkeep(createDatasetRunStore(database));
  if (name === 'drop') await upkeep.dropRun(1, 2);
  else createRunStore(database).settle(3, 'succeeded', undefined, 0);
  if (name === 'sweep') await upkeep.sweep();
}

/** The database of a home, which has no agent. */
export function openHome(home: string): Database {
  return openDatabase({ path: join(home, 'weft.db'), backups: home, nowMs: 0 });
}

if (import.meta.main) {
  const [home = '', name = ''] = process.argv.slice(2);
  const moment = MOMENTS[name];
  if (!moment) throw new Error(`There is no moment "${name}".`);
  const database = openHome(home);
  let left = moment.times;
  const die = () => {
    if (left-- === 0) process.kill(process.pid, 'SIGKILL');
    return null;
  };
  database.fast.function('die', die);
  database.fast.exec(`CREATE TEMP TRIGGER dies AFTER ${moment.on} BEGIN SELECT die(); END`);
  await act(database, moment);
}
