// What it costs the agent that a crawl is followed: the same crawl in turns, alone and through the command.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgentUnderTest } from './agent-under-test.ts';
import { median } from './measure.ts';
import { freePort, startProgram } from './processes.ts';
import type { BenchRow } from './row.ts';

const PAGES = 3000;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 2;
const REST_MS = 500;

/** The same options on both sides, and one agent: its first crawl costs half as much again as a later one, whoever starts it. */
export async function benchFollowed(): Promise<BenchRow> {
  using agent = await startAgentUnderTest();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const server = join(import.meta.dirname, 'generated-server.ts');
  using _server = await startProgram([server, String(port), String(PAGES)], process.env, url);
  const alone = () => agent.crawl({ url, formats: [], limit: PAGES, max_depth: 100 });
  const followed = () => agent.follow([url, '--formats', '-', '--limit', String(PAGES), '--max-depth', '100']);
  const turns = { alone, followed };
  const spentMs: Record<keyof typeof turns, number[]> = { alone: [], followed: [] };
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++)
    for (const name of round % 2 === 0 ? (['alone', 'followed'] as const) : (['followed', 'alone'] as const)) {
      const before = agent.cpuMs();
      await turns[name]();
      // What an agent clears away after a crawl belongs to it, whether or not somebody is still there.
      await sleep(REST_MS);
      if (round >= WARM_UP_ROUNDS) spentMs[name].push(agent.cpuMs() - before);
    }
  return {
    name: `${PAGES} small pages, followed by the command: CPU`,
    value: median(spentMs.followed) / PAGES,
    unit: 'ms a page',
    rival: 'the same crawl alone',
    rivalValue: median(spentMs.alone) / PAGES,
    target: '<= 1.03x',
  };
}
