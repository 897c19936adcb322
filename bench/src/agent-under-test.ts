// An agent of its own for a measurement: what it is asked to crawl, and what that cost its whole process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AGENT_ARGS, agentVariables } from '../../packages/cli/src/agent-process.ts';
import { hearEvents } from './event-stream.ts';
import { freePort, scratchFolder, startProgram } from './processes.ts';

const COMMAND = join(import.meta.dirname, '../../packages/cli/src/main.ts');
/** The launchers name such a folder to the agent as well: without one it holds what strips types, once in each thread. The first run fills it. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/compiled');
const TICK_MS = 10;
/** Below the time after which fetch gives an answer up that has not begun. */
const WAIT_SECONDS = 240;
const POLL_MS = 200;
const REST_MS = 500;

/** What one crawl cost. */
export interface CrawlCost {
  /** User and system, all threads, start-up outside. */
  readonly cpuMs: number;
  /** The most that the process ever had in memory up to the end of the crawl. */
  readonly peakMegabytes: number;
}

/** What one crawl did with the addresses it met. */
export interface CrawlStory {
  /** The pages it kept. */
  readonly pages: readonly { readonly url: string; readonly requested_url: string; readonly lane: 'http' | 'browser' }[];
  /** One line for each address; the reason stands where it was left out or failed. */
  readonly ledger: readonly { readonly url: string; readonly outcome: string; readonly reason?: string; readonly rule?: string }[];
}

export interface AgentUnderTest extends Disposable {
  /** The folder that it keeps everything in. */
  readonly home: string;
  /** With which a command finds it. */
  readonly variables: Readonly<Record<'SERVICE_HOME' | 'SERVICE_PORT', string>>;
  /** Crawls a site to its end. Throws when the crawl fails or its ledger does not add up. */
  crawl(options: Readonly<Record<string, unknown>>): Promise<CrawlCost>;
  /**
   * Has the command start a crawl, and follow it to its end unless `args` hold `--detach`; they are those of `weft crawl`. Answers the
   * milliseconds of CPU that the agent took, user and system, all threads, until it rested again. Throws when the command fails.
   */
  command(args: readonly string[]): Promise<number>;
  /** Calls an operation. Throws where it answers no success. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** Hears the events of a run until it has ended. Throws where they are refused. */
  listen(runId: number, hear: (event: Readonly<Record<string, unknown>>) => void): Promise<void>;
  /** Of the whole process until now, user and system, all threads. */
  cpuMs(): number;
  /** The most that the process ever had in memory. */
  peakMegabytes(): number;
  /** What it has in memory now. */
  residentMegabytes(): number;
  /** Crawls a site to its end, however that is, and reads what became of every address. */
  tell(options: Readonly<Record<string, unknown>>): Promise<CrawlStory>;
}

/** The part of a crawl's answer that is read here. */
interface CrawlAnswer {
  readonly id: number;
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly finished_at?: string;
  readonly data: CrawlStory['pages'];
  readonly next_cursor?: string;
  /** Of the agent itself. */
  readonly runs?: { readonly running: number };
}

/** Starts an agent with a home of its own, as the command line would, with these settings. */
export async function startAgentUnderTest(settings: object = {}): Promise<AgentUnderTest> {
  const home = scratchFolder();
  writeFileSync(join(home.path, 'config.json'), JSON.stringify(settings));
  const port = await freePort();
  const cache = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? COMPILED };
  const env = agentVariables({ ...process.env, ...cache, SERVICE_HOME: home.path, SERVICE_PORT: String(port) });
  const agent = await startProgram(AGENT_ARGS, env, `http://127.0.0.1:${port}/probe`);
  const token = readFileSync(join(home.path, 'token'), 'utf8').trim();
  const pid = agent.process.pid ?? 0;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const origin = `http://127.0.0.1:${port}`;
  const read = async (path: string, init?: RequestInit) => (await (await fetch(origin + path, { ...init, headers })).json()) as CrawlAnswer;
  const finish = async (options: Readonly<Record<string, unknown>>) => {
    let answer = await read('/v1/crawl', { method: 'POST', body: JSON.stringify({ ...options, wait: true, timeout: WAIT_SECONDS }) });
    while (answer.finished_at === undefined) {
      await sleep(POLL_MS);
      answer = await read(`/v1/crawl/${answer.id}?limit=1`);
    }
    return answer;
  };
  return {
    home: home.path,
    variables: { SERVICE_HOME: home.path, SERVICE_PORT: String(port) },
    async crawl(options) {
      const before = cpuMsOf(pid);
      const { status, counts } = await finish(options);
      const { discovered = 0, ...outcomes } = counts;
      const sum = Object.values(outcomes).reduce((total, count) => total + count, 0);
      if (status !== 'succeeded' || discovered !== sum) throw new Error(`${String(options['url'])}: ${status}, ${JSON.stringify(counts)}`);
      return { cpuMs: cpuMsOf(pid) - before, peakMegabytes: memoryOf(pid, 'VmHWM') };
    },
    async command(args) {
      const before = cpuMsOf(pid);
      const command = spawn(process.execPath, [COMMAND, 'crawl', ...args], { env, stdio: 'ignore' });
      const [exitCode] = (await once(command, 'exit')) as [number | null];
      if (exitCode !== 0) throw new Error(`weft crawl ${args.join(' ')} ended with ${exitCode}.`);
      for (;;) {
        const after = await restingCpuMs(pid);
        // Asked after its time was read: being asked costs time too.
        if ((await read('/v1/agent')).runs?.running === 0) return after - before;
      }
    },
    async call<T>(method: string, path: string, body?: object) {
      const response = await fetch(origin + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
    listen: async (runId, hear) => await hearEvents(`${origin}/v1/runs/${runId}/events`, headers, hear),
    cpuMs: () => cpuMsOf(pid),
    peakMegabytes: () => memoryOf(pid, 'VmHWM'),
    residentMegabytes: () => memoryOf(pid, 'VmRSS'),
    async tell(options) {
      const { id } = await finish(options);
      const pages: CrawlStory['pages'][number][] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined;) {
        const slice: CrawlAnswer = await read(`/v1/crawl/${id}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        pages.push(...slice.data);
        cursor = slice.next_cursor;
      }
      const lines = await (await fetch(`${origin}/x/crawl/${id}/ledger?format=ndjson`, { headers })).text();
      return {
        pages,
        ledger: lines
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as CrawlStory['ledger'][number]),
      };
    },
    [Symbol.dispose]() {
      agent[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}

function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** What the process has used once it uses no more: what it clears away after a crawl belongs to that, whoever is still there. */
async function restingCpuMs(pid: number): Promise<number> {
  for (;;) {
    const before = cpuMsOf(pid);
    await sleep(REST_MS);
    if (cpuMsOf(pid) === before) return before;
  }
}

function memoryOf(pid: number, kind: 'VmHWM' | 'VmRSS'): number {
  return Number(new RegExp(`^${kind}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
