// Executes runs of automations: the engine's loop on this agent's rows and nouns.
import { isSettled } from '@weft/contract';
import type { ConditionTrace, RunFailure } from '@weft/contract';
import { runAutomation } from '@weft/engine';
import type { AutomationNews, AutomationPorts, AutomationRunStore, BegunAction, CrawlClock, TriggerData } from '@weft/engine';
import type { MonitorReadings } from '../monitors/reading.ts';
import type { Executor } from '../runs/executor.ts';
import type { RunResultReader } from '../runs/results.ts';
import type { RunRow, Runs } from '../runs/run.ts';
import type { RunTurn } from '../runs/turn.ts';
import { beginAction } from './actions.ts';
import type { ActionPorts } from './actions.ts';
import { modeOf, parseDefinition } from './definition.ts';
import type { ActionRow } from './run-store.ts';
import type { AutomationStore } from './store.ts';

export interface AutomationWorkPorts extends ActionPorts {
  readonly clock: CrawlClock;
  readonly store: Pick<AutomationStore, 'liveRuns'>;
  readonly runs: Runs;
  readonly readings: Pick<MonitorReadings, 'readingOf'>;
  readonly results: RunResultReader;
  readonly executor: Executor;
}

/** Longer than any run may last; timers count 31 bits of milliseconds. */
const RUN_MS_MAX = 2_000_000_000;

/** Does what is left of a run. `ports` are asked for later: the executor is made of the kinds of runs. */
export function automationWork(ports: () => AutomationWorkPorts) {
  return async (run: RunRow, signal: AbortSignal, turn: RunTurn): Promise<RunFailure | undefined> =>
    await runAutomation(run.id, portsOf(run, turn, ports()), signal);
}

function portsOf(run: RunRow, turn: RunTurn, ports: AutomationWorkPorts): AutomationPorts {
  const { runs, clock, readings, results } = ports;
  return {
    store: runStoreOf(run, ports),
    clock,
    myTurn: async (signal) => await waitForOlder(run, turn, ports, signal),
    readingOf: async (id) => readings.readingOf(id),
    follow: async (id, signal) => await turn.whileWaiting(() => follow(run, id, ports, signal)),
    resultOf: async (id) => {
      const { status, output = null, rows_extracted } = results.read(id);
      return { status, output, rows_extracted };
    },
    pause: async (untilMs, signal) =>
      await turn.whileWaiting(() => clock.sleepUntil(clock.steadyMs() + Math.max(0, untilMs - clock.now()), signal)),
    tell: (news) => tell(run.id, news, runs),
  };
}

function runStoreOf(run: RunRow, ports: AutomationWorkPorts): AutomationRunStore {
  const { rows, clock } = ports;
  return {
    async load(id) {
      const row = rows.find(id);
      if (!row) return undefined;
      const { conditions = [], actions } = parseDefinition(row);
      return {
        id,
        automation: { id: row.automation_id, name: run.source_name },
        conditions,
        actions,
        trigger: JSON.parse(row.trigger) as TriggerData,
        decided: row.conditions === null ? undefined : (JSON.parse(row.conditions) as ConditionTrace[]),
        begun: new Map(rows.actionsOf(id).map((action) => [action.place, toBegun(action)])),
      };
    },
    keepConditions: async (id, decided) => rows.keepConditions(id, JSON.stringify(decided)),
    async begin(_id, place, order) {
      const begun = toBegun(beginAction(run, place, order, ports));
      if (begun.runId !== undefined) ports.executor.wake();
      return begun;
    },
    async end(id, place, message, code) {
      const end = { status: code === undefined ? 'done' : 'failed', message, code: code ?? null, finished_at: clock.now() } as const;
      if (rows.action(id, place)) rows.endAction(id, place, end);
      else rows.addAction({ run_id: id, place, child_id: null, until_at: null, started_at: clock.now(), ...end });
    },
  };
}

function toBegun({ status, message, child_id: child, until_at: until, code }: ActionRow): BegunAction {
  return { status, message, runId: child ?? undefined, untilMs: until ?? undefined, code: code ?? undefined };
}

/** Of a queue one run acts at a time, the oldest first. */
async function waitForOlder(run: RunRow, turn: RunTurn, { rows, store, runs }: AutomationWorkPorts, signal: AbortSignal): Promise<void> {
  const row = rows.find(run.id);
  if (!row || modeOf(parseDefinition(row)).mode !== 'queued') return;
  const older = () => store.liveRuns(row.automation_id).find((id) => id < run.id);
  for (let id = older(); id !== undefined && !signal.aborted; id = older()) {
    const oldest = id;
    await turn.whileWaiting(() => runs.wait(oldest, RUN_MS_MAX, signal));
  }
}

async function follow(run: RunRow, id: number, { runs, executor }: AutomationWorkPorts, signal: AbortSignal) {
  const child = await runs.wait(id, RUN_MS_MAX, signal);
  // An agent that stops leaves it as it is; a run that was cancelled takes what it made with it.
  if (!isSettled(child.status) && isSettled(runs.require(run.id).status)) {
    runs.settle(id, 'cancelled');
    executor.abort(id);
  }
  return { status: child.status, failure: child.failure };
}

function tell(id: number, news: AutomationNews, runs: Runs): void {
  if (news.kind === 'sentence') return runs.append(id, { type: 'log', level: news.level, message: news.message });
  const { place, type, status, message } = news;
  runs.append(id, { type: 'step', index: place, step_type: type, step_id: `actions[${place}]`, status, message });
}
