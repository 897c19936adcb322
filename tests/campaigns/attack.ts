// What outsiders tried, generated: names that flip, clocks that are set, answers of any size, keys on many paths.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import type { RemoteAgent } from '../attacks/asking.ts';
import { askJson } from '../attacks/asking.ts';
import { attackByClock } from '../attacks/clock.ts';
import { attackByKeys } from '../attacks/keys.ts';
import { attackByNames } from '../attacks/rebinding.ts';
import { attackBySizes } from '../attacks/sizes.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startProgram } from '../conformance/program.ts';

export const roundsInTests = 1;

/** Crawls of large pages in each round, one after another. */
const CRAWLS = 2;
const RSS_MEGABYTES_MAX = 600;
/** What may stay of it all, and how long a heap that is not used may take to give the rest back. A single round, as in the tests, does not wait for it. */
const KEPT_MEGABYTES_MAX = 60;
const IDLE_SECONDS_MAX = 300;
const IDLE_ROUNDS_MIN = 2;

/**
 * One round attacks five operations by names, six by the clock, and an agent in a process of its own by sizes and keys.
 * It throws where a private address is asked or shown, a run does not end, an answer has no status or is cut, or memory is not given back.
 */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  await using program = await startProgram();
  const agent = { program, token: await program.ready() };
  // What the first crawl and the first read load stays loaded.
  await attackBySizes(agent, () => 0, 1);
  const startMegabytes = memoryOf(agent, 'VmRSS');
  if (startMegabytes === undefined) log('SKIPPED memory: this system has no /proc');
  for (let round = 1; round <= rounds; round++) {
    const [flips, jumps] = [await attackByNames(random), await attackByClock(random)];
    const { bytes, readers, stopped } = await attackBySizes(agent, random, CRAWLS);
    const calls = await attackByKeys(agent, random);
    await assertNoneLive(agent);
    const peak = memoryOf(agent, 'VmHWM');
    log(
      `round ${round}: ${flips} flips, ${jumps} jumps, ${(bytes / 1e6).toFixed(1)} MB of pages, ${readers} readers of whom ${stopped} stopped, ` +
        `${calls} calls with keys: 0 private pages, 0 live runs, 0 answers cut; ${peak ?? 'unknown'} MB at most`,
    );
    assert.ok((peak ?? 0) < RSS_MEGABYTES_MAX, `the agent took ${peak} MB`);
  }
  if (startMegabytes !== undefined && rounds >= IDLE_ROUNDS_MIN) await assertGivenBack(agent, startMegabytes, log);
}

/** Runs that were not waited for end too. */
async function assertNoneLive(agent: RemoteAgent): Promise<void> {
  for (let waited = 0; ; waited++) {
    const lists = await Promise.all(
      ['running', 'queued'].map((status) => askJson<{ data: { id: number }[] }>(agent, { path: `/v1/runs?status=${status}` })),
    );
    const live = lists.flatMap(({ data }) => data);
    if (live.length === 0) return;
    assert.ok(waited < IDLE_SECONDS_MAX, `${live.length} runs do not end, such as ${live[0]?.id}`);
    await sleep(1000);
  }
}

async function assertGivenBack(agent: RemoteAgent, startMegabytes: number, log: (line: string) => void): Promise<void> {
  for (let waited = 0; ; waited++) {
    const megabytes = memoryOf(agent, 'VmRSS') ?? 0;
    const isBack = megabytes <= startMegabytes + KEPT_MEGABYTES_MAX;
    if (isBack || waited === IDLE_SECONDS_MAX) log(`${startMegabytes} MB at the start, ${megabytes} MB after ${waited} idle seconds`);
    if (isBack) return;
    assert.ok(waited < IDLE_SECONDS_MAX, `${megabytes - startMegabytes} MB are kept`);
    await sleep(1000);
  }
}

/** Megabytes of the agent now (`VmRSS`) or at most so far (`VmHWM`), as Linux counts them. */
function memoryOf({ program }: RemoteAgent, name: 'VmRSS' | 'VmHWM'): number | undefined {
  try {
    const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${program.process.pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1000);
  } catch {
    return undefined;
  }
}
