import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Run, Trigger } from '@weft/contract';
import { createCauseRows } from '../../packages/daemon/src/automations/cause-store.ts';
import { dueAutomations } from '../../packages/daemon/src/automations/due.ts';
import { createFiring } from '../../packages/daemon/src/automations/firing.ts';
import { createCauseStore } from '../../packages/daemon/src/automations/hearing.ts';
import { createListening } from '../../packages/daemon/src/automations/listening.ts';
import { createAutomationRunRows } from '../../packages/daemon/src/automations/run-store.ts';
import { createAutomationStore } from '../../packages/daemon/src/automations/store.ts';
import { openDatabase } from '../../packages/daemon/src/db/open.ts';
import { createRunNotifier } from '../../packages/daemon/src/runs/notifier.ts';
import { createRuns } from '../../packages/daemon/src/runs/run.ts';
import { createRunStore } from '../../packages/daemon/src/runs/store.ts';
import { ScheduleLoop } from '../../packages/daemon/src/schedule/schedules.ts';
import { createDueStore } from '../../packages/daemon/src/schedule/store.ts';
import { testClock } from '../agent.ts';
import { automationStoreSuite } from './automation-store-suite.ts';

automationStoreSuite('SQLite', async () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-automations-'));
  const database = openDatabase({ path: join(home, 'weft.db'), backups: home, nowMs: 0 });
  const clock = testClock();
  const store = createAutomationStore(database);
  const rows = createCauseRows(database);
  const runs = createRuns({ store: createRunStore(database), notifier: createRunNotifier(), clock });
  const executor = () => ({ abort: () => undefined });
  const fire = createFiring({ database, store, rows: createAutomationRunRows(database), runs, clock, executor });
  const kinds = () => ({ automation: dueAutomations({ store, causes: rows, fire }) });
  const schedules = new ScheduleLoop({ database, store: createDueStore(database), clock, kinds, logError: () => undefined });
  const listening = createListening({ store, schedules, clock, readingOf: () => undefined });
  const open = () => createCauseStore({ database, rows, store, listening, fire });
  const find = (id: number) => {
    const row = store.find(id);
    if (!row) throw new Error(`There is no automation ${id}.`);
    return row;
  };
  const definitionOf = (triggers: readonly Trigger[], mode: string) => JSON.stringify({ triggers, mode, actions: [] });
  return {
    store: open(),
    again: open,
    automate: async (triggers, mode) => {
      const row = {
        name: 'Test',
        definition: definitionOf(triggers, mode),
        enabled: 1,
        disabled_reason: null,
        created_at: 0,
        updated_at: 0,
      } as const;
      return store.insert(row, (id) => listening.listen(find(id)));
    },
    edit: async (id, triggers) =>
      store.update(id, { ...find(id), definition: definitionOf(triggers, 'single') }, () => listening.listen(find(id))),
    happen: async (cause) => rows.add(JSON.stringify(cause), 0),
    runsOf: async (id) => {
      const found = database.fast.prepare(`SELECT status FROM run WHERE source_kind = 'automation' AND source_id = ? ORDER BY id`).all(id);
      return found.map(({ status }) => status as Run['status']);
    },
    close: async () => {
      database.close();
      rmSync(home, { recursive: true });
    },
  };
});
