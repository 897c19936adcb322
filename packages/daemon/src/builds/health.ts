// Whether published functions still do what was proved: when that is looked at, and how it is shown.
import { AppError } from '@weft/contract';
import type { BuildHealth, UpdateBuild } from '@weft/contract';
import { newestRung, nextCheckMs, viewHealth } from '@weft/engine';
import type { BuiltFunction } from '@weft/engine';
import type { RunStore, Runs } from '../runs/run.ts';
import type { DueKind, Schedules } from '../schedule/schedules.ts';
import type { Settings } from '../settings.ts';
import type { Vault } from '../vault/vault.ts';
import { checkRunOf } from './run-of.ts';
import { CHECK_SOURCE } from './store.ts';
import type { BuildRow, BuildStore } from './store.ts';

/** The kind under which builds are due. */
const KIND = 'build';
/** An occurrence whose run did not come to look is due again after so long. */
const AGAIN_MS = 600_000;

export interface BuildHealths {
  /** As a poll of the build shows it. */
  view(row: BuildRow): BuildHealth;
  update(row: BuildRow, change: UpdateBuild): void;
  /** Begins to prove the functions again; the run. Throws AppError `conflict` where nothing is proved, `vault_locked`. */
  check(row: BuildRow, ownerId: string): number;
  /** Reckons when the build is due: once something of it was published, or it was proved again. */
  plan(id: number): void;
  forget(id: number): void;
}

export interface BuildHealthPorts {
  readonly store: BuildStore;
  readonly runs: Pick<Runs, 'create'>;
  readonly schedules: Schedules;
  readonly settings: Pick<Settings, 'builds'>;
  readonly vault: Pick<Vault, 'require'>;
}

/** The functions that are looked at: those that are published; before any is, those that are proved. */
export function watchedFunctions(row: BuildRow, store: Pick<BuildStore, 'workflows'>): readonly BuiltFunction[] {
  const { functions = [] } = row.result ?? {};
  const published = store.workflows(row.id);
  if (published.size > 0) return functions.filter(({ name }) => published.has(name));
  return functions.filter(({ certificate }) => certificate.state === 'proved');
}

export function createBuildHealths({ store, runs, schedules, settings, vault }: BuildHealthPorts): BuildHealths {
  return {
    view: (row) => viewHealth(row.health, hoursOf(row, settings), schedules.dueMs(KIND, row.id)),
    update(row, { check_hours: checkHours }) {
      store.setAsked(row.id, { ...row.asked, checkHours });
      schedules.plan(KIND, row.id);
    },
    check(row, ownerId) {
      const buildId = newestRung(row.ladder).buildId;
      if (watchedFunctions(row, store).length === 0)
        throw new AppError('conflict', `Nothing of build ${buildId} is proved, so there is nothing to prove again.`);
      if (row.asked.persona_id !== undefined) vault.require();
      return runs.create(checkRunOf(row, ownerId), () => null).id;
    },
    plan: (id) => schedules.plan(KIND, id),
    forget: (id) => schedules.clear(KIND, id),
  };
}

/** What is done when a build is due. */
export function dueBuilds({
  store,
  runs,
  runStore,
  settings,
}: Pick<BuildHealthPorts, 'store' | 'runs' | 'settings'> & { readonly runStore: Pick<RunStore, 'liveOf'> }): DueKind {
  return {
    queue: KIND,
    begin(id) {
      const row = store.find(id);
      const isUnderWay = runStore.liveOf({ source_kind: CHECK_SOURCE, source_id: id }).length > 0;
      if (!row || isUnderWay) return undefined;
      return runs.create({ ...checkRunOf(row, row.owner_id), trigger: 'schedule' }, () => null).id;
    },
    next(id, _lastDueMs, nowMs) {
      const row = store.find(id);
      const hours = row ? hoursOf(row, settings) : null;
      if (!row || hours === null || store.workflows(id).size === 0) return undefined;
      const { functions = [], checkedMs = nowMs } = row.health ?? {};
      return Math.max(nextCheckMs(functions, hours, checkedMs), nowMs + AGAIN_MS);
    },
  };
}

function hoursOf({ asked }: Pick<BuildRow, 'asked'>, { builds }: Pick<Settings, 'builds'>): number | null {
  return asked.checkHours === undefined ? builds.check_hours : asked.checkHours;
}
