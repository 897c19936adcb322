// What it costs the agent that a crawl is followed: the same crawl in turns, started by the command that leaves and by one that stays.
import { join } from 'node:path';
import { startAgentUnderTest } from './agent-under-test.ts';
import { median } from './measure.ts';
import { freePort, startProgram } from './processes.ts';
import type { BenchRow } from './row.ts';

const PAGES = 3000;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 2;

/**
 * One agent, whose first crawl costs half as much again as a later one, and one command on both sides: while a process starts, every other
 * one on a small machine takes more time for the same work.
 */
export async function benchFollowed(): Promise<BenchRow> {
  using agent = await startAgentUnderTest();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const server = join(import.meta.dirname, 'generated-server.ts');
  using _server = await startProgram([server, String(port), String(PAGES)], process.env, url);
  const args = [url, '--formats', '-', '--limit', String(PAGES), '--max-depth', '100'];
  const turns = { alone: [...args, '--detach'], followed: args };
  const spentMs: Record<keyof typeof turns, number[]> = { alone: [], followed: [] };
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++)
    for (const name of round % 2 === 0 ? (['alone', 'followed'] as const) : (['followed', 'alone'] as const)) {
      const ms = await agent.command(turns[name]);
      if (round >= WARM_UP_ROUNDS) spentMs[name].push(ms);
    }
  return {
    name: `${PAGES} small pages, followed by the command: CPU`,
    value: median(spentMs.followed) / PAGES,
    unit: 'ms a page',
    rival: 'the same crawl, which the command only starts',
    rivalValue: median(spentMs.alone) / PAGES,
    target: '<= 1.03x',
  };
}
