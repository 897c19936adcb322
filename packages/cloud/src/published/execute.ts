// Executes a function: the engine's run of a workflow on public pages, with rows in memory and nobody to ask.
import { PUBLISHED_CHARACTERS_MAX, PUBLISHED_SECONDS } from '@weft/contract';
import type { RunFailure } from '@weft/contract';
import { NO_LOGINS, PageError, ReachMemory, RunFault, planOf, reportRobots, runWorkflow } from '@weft/engine';
import type { AskingPorts, BrowserSessions, RunEnd, RunNews, ViewReader, WorkflowDefinition, WorkflowPorts } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import { askingFor } from '../hosts/asker.ts';

export interface ExecutionPorts {
  readonly asking: AskingPorts & { readonly views: ViewReader };
  /** Absent where no browser holds sessions. */
  readonly sessions: BrowserSessions | undefined;
}

/** One run of a function. */
export interface Execution {
  readonly definition: WorkflowDefinition;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly accountId: string;
  /** Asked before a browser is used; false where nobody pays for it. */
  readonly mayUseBrowser: () => Promise<boolean>;
}

/** What a run came to. */
export interface Executed {
  readonly failure: RunFailure | undefined;
  /** The output of the workflow; its rows where it has none. */
  readonly data: unknown;
  readonly rows: number;
  readonly lane: RunEnd['lane'];
  readonly warnings: readonly string[];
  readonly steps: readonly RunNews[];
}

const STEPS_KEPT = 1000;

/** Runs to the end, or to the 120th second. Throws PageError `aborted` once `signal` has. */
export async function executeFunction(execution: Execution, ports: ExecutionPorts, signal: AbortSignal): Promise<Executed> {
  const { definition, inputs } = execution;
  const { clock } = ports.asking;
  const cut = new AbortController();
  const stopClock = clock.alarm(clock.steadyMs() + PUBLISHED_SECONDS * 1000, () => cut.abort());
  const rows = new KeptRows();
  const steps: RunNews[] = [];
  try {
    const plan = { ...planOf(definition, inputs), keepsEvidence: false };
    const end = await runWorkflow(plan, portsOf(execution, ports, rows, steps), AbortSignal.any([signal, cut.signal]));
    const { failure, output, lane, warnings } = end;
    const data = definition.output === undefined ? rows.all() : (output ?? null);
    return { failure, data: failure && definition.output !== undefined ? null : data, rows: rows.count, lane, warnings, steps };
  } catch (error) {
    if (!cut.signal.aborted || signal.aborted) throw error;
    const failure = { code: 'timeout' as const, message: `It worked for ${PUBLISHED_SECONDS} seconds, as long as a published call may.` };
    const data = definition.output === undefined ? rows.all() : null;
    return { failure, data, rows: rows.count, lane: 'http', warnings: [], steps };
  } finally {
    stopClock();
  }
}

/** Rows of one run in the order in which they came; a later one with the same key replaces the earlier. */
class KeptRows {
  private readonly kept = new Map<string | number, object>();
  private characters = 0;

  get count(): number {
    return this.kept.size;
  }

  all(): readonly object[] {
    return [...this.kept.values()];
  }

  add(key: string | undefined, row: object): void {
    this.characters += JSON.stringify(row).length;
    if (this.characters > PUBLISHED_CHARACTERS_MAX)
      throw new RunFault(
        'body_too_large',
        `The rows have more than ${PUBLISHED_CHARACTERS_MAX} characters, as many as a call may answer; read fewer pages or fields.`,
      );
    this.kept.set(key ?? this.kept.size, row);
  }
}

function portsOf(
  { accountId, mayUseBrowser }: Execution,
  { asking: shared, sessions }: ExecutionPorts,
  rows: KeptRows,
  steps: RunNews[],
): WorkflowPorts {
  const asking = askingFor(shared, { tenant: accountId, isUrgent: true });
  const { clock, agent, views, gate, fetcher } = asking;
  const robots = asking.robotsFor([]);
  return {
    fetcher,
    gate,
    sessions: sessions && paidSessions(sessions, mayUseBrowser),
    read: async (request, signal) => (await views.run('reading', request, signal, accountId)).result,
    clock,
    async tell(news) {
      if (steps.length < STEPS_KEPT) steps.push(news);
    },
    async keepRows(given) {
      for (const { key, row } of given) rows.add(key, row);
      return given.length;
    },
    keepFile: refuse,
    readFile: refuse,
    reveal: refuse,
    askPerson: refuse,
    call: refuse,
    session: { read: async () => undefined, readNewer: async () => undefined, replace: async () => 'behind', logins: () => NO_LOGINS },
    acting: {},
    robots: async (url, signal) => await reportRobots(url, { robots, clock, agent }, signal),
    inLoginLine: async (_origin, _signal, work) => await work(),
    privateTargets: [],
    names: new ReachMemory(),
    cookies: (state) => createCookieStore(state?.cookies ?? []),
  };
}

/** A workflow that needs any of these is not published. */
async function refuse(): Promise<never> {
  throw new RunFault('input', 'A published workflow has no files, no secrets, nobody to ask and no other workflows.');
}

function paidSessions(sessions: BrowserSessions, mayUseBrowser: Execution['mayUseBrowser']): BrowserSessions {
  return {
    async open(options, signal) {
      if (!(await mayUseBrowser()))
        throw new PageError('browser', 'Its pages need a browser, and the credits of the account do not reach for one.');
      return await sessions.open(options, signal);
    },
  };
}
