// Calls what may become a function: runs its steps as a published workflow's are run, and keeps each page that rows were read from.
import type { Step } from '@weft/contract';
import type { Lane, Page } from '../../ports.ts';
import { RunFault } from '../../run/fault.ts';
import { runWorkflow } from '../../run/loop.ts';
import type { RunEnd, RunPlan } from '../../run/plan.ts';
import { NO_LOGINS } from '../../run/ports.ts';
import type { WorkflowPorts } from '../../run/ports.ts';
import type { Row } from '../../run/reading/rows.ts';
import { BudgetSpent } from './site-asking.ts';
import type { SiteAsking } from './site-asking.ts';

/** A page that rows were read from, or the last answer where none were. */
export interface CalledPage {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly lane: Lane;
  readonly body: Uint8Array;
  readonly atMs: number;
}

/** What one call came to. */
export interface CallEnd {
  /** In the order in which they were read. */
  readonly pages: readonly CalledPage[];
  /** What the run kept. */
  readonly rows: readonly Row[];
  readonly lane: Lane;
  /** Why it failed; absent where it did not. */
  readonly failure?: { readonly code: string; readonly message: string };
}

/** What is called. */
export interface Callable {
  readonly steps: readonly Step[];
  readonly lane: Lane;
  /** True where the page that the steps leave open is wanted, in a browser as well. */
  readonly readsPage?: boolean;
}

const LIMITS = { stepsMax: 500, secondsMax: 120, pagesMax: 20 };

/** Runs the steps with these inputs. Throws PageError `aborted` alone; any other failure is part of the end. */
export async function callSteps(
  { steps, lane, readsPage }: Callable,
  inputs: Readonly<Record<string, unknown>>,
  asking: SiteAsking,
  signal: AbortSignal,
): Promise<CallEnd> {
  const heard = new HeardPages(asking);
  const rows: Row[] = [];
  const plan: RunPlan = { steps, finally: [], lane, limits: LIMITS, inputs, output: undefined, personaId: undefined, givesPage: readsPage };
  const ports: WorkflowPorts = {
    ...heard.ports(),
    keepRows: async (kept) => {
      // What runs keep are rows that steps read.
      rows.push(...kept.map(({ row }) => row as Row));
      return kept.length;
    },
  };
  const end = await runInTime(plan, ports, asking, signal);
  if (end instanceof BudgetSpent) return { pages: heard.pages(), rows, lane, failure: { code: end.code, message: end.message } };
  const { failure } = end;
  const pages = heard.pages();
  const left = lane === 'browser' ? leftOpen(end, asking) : undefined;
  return {
    pages: left && pages.length === 0 ? [left] : pages,
    rows,
    lane: end.lane,
    ...(failure ? { failure: { code: failure.code, message: failure.message } } : {}),
  };
}

/** The end of the run, or that its rung has no time left. */
async function runInTime(plan: RunPlan, ports: WorkflowPorts, asking: SiteAsking, signal: AbortSignal): Promise<RunEnd | BudgetSpent> {
  try {
    return await asking.within(signal, (bounded) => runWorkflow(plan, ports, bounded));
  } catch (error) {
    if (error instanceof BudgetSpent) return error;
    throw error;
  }
}

/** The page that a browser has open at the end. */
function leftOpen({ page }: RunEnd, asking: SiteAsking): CalledPage | undefined {
  if (!page) return undefined;
  const { url, status, contentType, body } = page;
  return { method: 'GET', url, status, contentType, lane: 'browser', body, atMs: asking.ports.clock.now() };
}

/** Hears which pages came, and which of them rows were read from. */
class HeardPages {
  private readonly asking: SiteAsking;
  private readonly answers = new Map<Uint8Array, CalledPage>();
  private readonly read: CalledPage[] = [];
  private last: CalledPage | undefined;

  constructor(asking: SiteAsking) {
    this.asking = asking;
  }

  pages(): readonly CalledPage[] {
    return this.read.length > 0 ? this.read : this.last ? [this.last] : [];
  }

  ports(): Omit<WorkflowPorts, 'keepRows'> {
    const { asking } = this;
    const { ports } = asking;
    const unavailable = (what: string) => async () => {
      throw new RunFault('input', `A function of a build has no ${what}.`);
    };
    return {
      fetcher: { fetch: async (request, signal) => this.hear(request.method ?? 'GET', await asking.fetcher.fetch(request, signal)) },
      gate: ports.gate,
      clock: ports.clock,
      sessions: ports.sessions && { open: async (_options, signal) => await this.openSession(signal) },
      read: async (request, signal) => {
        const { result } = await ports.views.run('reading', request, signal);
        const page = this.answers.get(request.source.body) ?? this.rendered(request.source, request.status);
        if (request.ask.kind === 'list') this.read.push(page);
        return result;
      },
      tell: async () => undefined,
      keepFile: unavailable('files'),
      readFile: unavailable('files'),
      reveal: unavailable('secrets'),
      askPerson: unavailable('person to ask'),
      call: unavailable('other workflows'),
      session: { read: async () => ports.state, readNewer: async () => undefined, replace: async () => 'behind', logins: () => NO_LOGINS },
      acting: {},
      robots: async () => undefined,
      inLoginLine: async (_origin, _signal, work) => await work(),
      privateTargets: ports.privateTargets,
      names: ports.names,
      cookies: ports.cookies,
    };
  }

  private async openSession(signal: AbortSignal) {
    const session = await this.asking.openSession(signal);
    if (!session) throw new RunFault('browser', 'These steps act in a browser, and there is none.');
    return session;
  }

  private hear(method: string, page: Page): Page {
    const { url, status, contentType, lane, body, fetchedAtMs: atMs } = page;
    this.last = { method, url, status, contentType, lane, body, atMs };
    this.answers.set(body, this.last);
    return page;
  }

  private rendered(
    source: { readonly url: string; readonly body: Uint8Array; readonly contentType: string | undefined },
    status: number,
  ): CalledPage {
    const { url, body, contentType } = source;
    return { method: 'GET', url, status, contentType, lane: 'browser', body, atMs: this.asking.ports.clock.now() };
  }
}
