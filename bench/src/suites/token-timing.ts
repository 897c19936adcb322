// Whether the time of a refusal tells a token of a known beginning from any other (A23).
import { performance } from 'node:perf_hooks';
import { LIMITS, formatToken } from '@weft/contract';
import { randomBytes } from 'node:crypto';
import { callKernel, startKernelAgent } from '../../../tests/conformance/kernel.ts';
import type { KernelAgent } from '../../../tests/conformance/kernel.ts';
import { mulberry32 } from '../../../tests/conformance/fuzz.ts';
import type { BenchRow } from '../row.ts';

/** Slow stretches of the machine fall into few blocks, and only times of one block are compared. */
const BLOCKS = 100;
const ROUNDS_PER_BLOCK = 200;
const SEED = 23;
/** Characters of a token that a guess begins with. */
const BEGINNING = 30;

/** What a guess of each kind begins with. */
type Beginnings = Readonly<Record<string, () => string>>;
/** Milliseconds of each refusal by its kind. */
type Times = ReadonlyMap<string, number[]>;

/**
 * How often each kind of wrong token takes longer to refuse than one of which nothing is known: 0.5 tells nothing, 0 or 1 everything.
 * The control is that same kind again. The beginning of no token tells whether repetition, and not knowledge, makes the difference.
 */
export async function bench(): Promise<BenchRow[]> {
  await using agent = await startKernelAgent();
  const { token } = await agent.mint('read');
  const ofNoToken = random().slice(0, BEGINNING);
  const beginnings: Beginnings = {
    unknown: () => random().slice(0, BEGINNING),
    control: () => random().slice(0, BEGINNING),
    known: () => token.slice('wlk_'.length, 'wlk_'.length + BEGINNING),
    repeated: () => ofNoToken,
  };
  const next = mulberry32(SEED);
  const blocks: Times[] = [];
  await runBlock(agent, beginnings, next);
  for (let block = 0; block < BLOCKS; block++) {
    // A token in use is asked for again and again.
    await callKernel(agent.services.kernel, { target: '/v1/agent', token });
    blocks.push(await runBlock(agent, beginnings, next));
  }
  const chanceOf = (kind: string) => chanceRow(blocks.map((times) => separability(times.get(kind) ?? [], times.get('unknown') ?? [])));
  return [
    { name: 'refusal of an unknown token, median', value: medianUs(blocks, 'unknown'), unit: 'us' },
    { name: 'refusal of a token with a known beginning, median', value: medianUs(blocks, 'known'), unit: 'us' },
    { name: 'chance that it takes longer: a second unknown token (control)', ...chanceOf('control') },
    { name: 'chance that it takes longer: the beginning of a token in use', ...chanceOf('known') },
    { name: 'chance that it takes longer: the beginning of no token, repeated', ...chanceOf('repeated') },
  ];
}

/** Every kind once a round, in an order drawn anew for each. */
async function runBlock(agent: KernelAgent, beginnings: Beginnings, next: () => number): Promise<Times> {
  const times = new Map(Object.keys(beginnings).map((kind) => [kind, [] as number[]]));
  for (let round = 0; round < ROUNDS_PER_BLOCK; round++) {
    const guesses = Object.entries(beginnings).map(([kind, beginning]) => ({ kind, token: guess(beginning()), rank: next() }));
    for (const { kind, token } of guesses.sort((a, b) => a.rank - b.rank)) times.get(kind)?.push(await refusalMs(agent, token));
  }
  return times;
}

async function refusalMs(agent: KernelAgent, token: string): Promise<number> {
  // Wrong tokens are counted; the bucket is filled again before each.
  agent.clock.advance(1000 / LIMITS.authFailuresPerSecond);
  const startMs = performance.now();
  await callKernel(agent.services.kernel, { target: '/v1/agent', token });
  return performance.now() - startMs;
}

/** A well-formed token. All are put together in the same way, so that only their characters differ. */
function guess(beginning: string): string {
  return formatToken('wlk', Buffer.from(`${beginning}${random()}`.slice(0, 43)).toString('latin1'));
}

function random(): string {
  return randomBytes(32).toString('base64url');
}

/** The mean over the blocks, and half the width of its 95 % interval. */
function chanceRow(chances: readonly number[]): Pick<BenchRow, 'value' | 'unit' | 'target'> {
  const mean = chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
  const variance = chances.reduce((sum, chance) => sum + (chance - mean) ** 2, 0) / (chances.length - 1);
  const half = 1.96 * Math.sqrt(variance / chances.length);
  return { value: mean, unit: `± ${half.toFixed(4)}`, target: '0.48-0.52' };
}

function medianUs(blocks: readonly Times[], kind: string): number {
  const all = blocks.flatMap((times) => times.get(kind) ?? []).sort((a, b) => a - b);
  return (all[Math.floor(all.length / 2)] ?? 0) * 1000;
}

/** Mann-Whitney's U over the number of pairs: how often a value of `a` is above one of `b`, equal ones counted half. */
function separability(a: readonly number[], b: readonly number[]): number {
  let above = 0;
  for (const one of a) for (const other of b) above += one > other ? 1 : one === other ? 0.5 : 0;
  return above / (a.length * b.length);
}
