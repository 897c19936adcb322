// An agent of its own for a measurement: what it is asked to crawl, and what that cost its whole process.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_ARGS } from '../../packages/cli/src/agent-process.ts';
import { freePort, scratchFolder, startProgram } from './processes.ts';

const TICK_MS = 10;

/** What one crawl cost. */
export interface CrawlCost {
  /** User and system, all threads, start-up outside. */
  readonly cpuMs: number;
  /** The most that the process ever had in memory up to the end of the crawl. */
  readonly peakMegabytes: number;
}

export interface AgentUnderTest extends Disposable {
  /** Crawls a site to its end. Throws when the crawl fails or its ledger does not add up. */
  crawl(options: Readonly<Record<string, unknown>>): Promise<CrawlCost>;
}

/** Starts an agent with a home of its own, as the command line would. */
export async function startAgentUnderTest(): Promise<AgentUnderTest> {
  const home = scratchFolder();
  const port = await freePort();
  const env = { ...process.env, SERVICE_HOME: home.path, SERVICE_PORT: String(port) };
  const agent = await startProgram(AGENT_ARGS, env, `http://127.0.0.1:${port}/probe`);
  const token = readFileSync(join(home.path, 'token'), 'utf8').trim();
  const pid = agent.process.pid ?? 0;
  return {
    async crawl(options) {
      const before = cpuMsOf(pid);
      const response = await fetch(`http://127.0.0.1:${port}/v1/crawl`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...options, wait: true, timeout: 3600 }),
      });
      const { status, counts } = (await response.json()) as { status: string; counts: Readonly<Record<string, number>> };
      const { discovered = 0, ...outcomes } = counts;
      const sum = Object.values(outcomes).reduce((total, count) => total + count, 0);
      if (status !== 'succeeded' || discovered !== sum) throw new Error(`${String(options['url'])}: ${status}, ${JSON.stringify(counts)}`);
      return { cpuMs: cpuMsOf(pid) - before, peakMegabytes: peakOf(pid) };
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

function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
