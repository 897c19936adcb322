// Targets of accounts: what is watched, how it stands, when it is looked at next.
import { NewTarget } from '@weft/contract';
import type { CloudTable, Input, NewTarget as TargetBody, Target, TargetChange, TargetPatch } from '@weft/contract';
import { withoutReplaced } from '@weft/engine';
import { mergePatch } from '@weft/serve';
import type { Database } from '../db/queries.ts';
import { changesOf } from './changes.ts';
import { listTargets, noTarget, readTarget, requireTarget } from './reading.ts';
import type { TargetRow } from './row.ts';
import { changeTarget, insertTarget } from './saving.ts';
import { specsOf } from './selectors.ts';
import { seriesOf } from './series.ts';
import type { SeriesAsked, TargetSeries } from './series.ts';

type ListQuery = Input<CloudTable['targets']['list']>['query'];
type ChangesQuery = Input<CloudTable['targets']['changes']>['query'];

export interface Targets {
  /** Newest first; all unless `limit` is given. */
  list(accountId: string, query: ListQuery): Promise<{ readonly data: Target[]; readonly total: number }>;
  /** The id of a new one, whose first check is due at once. Throws AppError `bad_request`. */
  create(accountId: string, body: TargetBody): Promise<string>;
  /** All methods that take an id throw AppError `not_found`. */
  read(accountId: string, id: string): Promise<Target>;
  /** The number by which its rows name it. */
  numberOf(accountId: string, id: string): Promise<number>;
  /** Throws AppError `bad_request`. */
  update(accountId: string, id: string, patch: TargetPatch): Promise<Target>;
  toggle(accountId: string, id: string): Promise<Target>;
  delete(accountId: string, id: string): Promise<void>;
  /** Newest first. */
  changes(accountId: string, id: string, query: ChangesQuery): Promise<{ readonly data: TargetChange[]; readonly total: number }>;
  /** Of all targets: of the last 30 days unless `since` is given. */
  recentChanges(accountId: string, query: ChangesQuery): Promise<{ readonly data: TargetChange[]; readonly total: number }>;
  /** How a value went, oldest first. Throws AppError `bad_request`. */
  values(accountId: string, id: string, asked: SeriesAsked): Promise<TargetSeries>;
}

const RECENT_MS = 30 * 86_400_000;
const NOUN = 'target';

export function createTargets(database: Database): Targets {
  const changes = changesOf(database);
  return {
    list: (accountId, query) => listTargets(database, accountId, query),
    create: (accountId, body) => insertTarget(database, accountId, body),
    read: (accountId, id) => readTarget(database, accountId, id),
    numberOf: async (accountId, id) => (await requireTarget(database, accountId, id)).number,
    update: (accountId, id, patch) =>
      changeTarget(database, accountId, id, (row) => mergePatch(withoutReplaced(bodyOf(row), patch), patch, NewTarget, NOUN)),
    toggle: (accountId, id) => changeTarget(database, accountId, id, (row) => ({ ...bodyOf(row), active: !row.active })),
    async delete(accountId, id) {
      const gone = await database.rows('DELETE FROM target WHERE id = $1 AND account_id = $2 RETURNING 1', [id, accountId]);
      if (gone.length === 0) throw noTarget(id);
    },
    async changes(accountId, id, { kind, since, ...slice }) {
      const { number } = await requireTarget(database, accountId, id);
      return await changes.list(accountId, { target: number, kind, since: since === undefined ? undefined : new Date(since) }, slice);
    },
    recentChanges: (accountId, { kind, since, ...slice }) =>
      changes.list(accountId, { target: undefined, kind, since: new Date(since ?? Date.now() - RECENT_MS) }, slice),
    values: async (accountId, id, asked) => seriesOf(database, accountId, await requireTarget(database, accountId, id), asked),
  };
}

function bodyOf({ name, active, definition, selectors }: TargetRow): TargetBody {
  return { ...definition, name, active, ...(selectors.length > 0 ? { selectors: specsOf(selectors) } : {}) };
}
