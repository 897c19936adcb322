// Whether the time of a refusal tells a token of a known beginning from any other (A23).
import { performance } from 'node:perf_hooks';
import { LIMITS, formatToken } from '@weft/contract';
import { randomBytes } from 'node:crypto';
import { callKernel, startKernelAgent } from '../../../tests/conformance/kernel.ts';
import type { BenchRow } from '../row.ts';

const SAMPLES = 10_000;
/** Characters of a real token that a guess begins with. */
const KNOWN = 30;

/** Medians of both kinds of refusal, and how often the one takes longer than the other: 0.5 tells nothing, 0 or 1 everything. */
export async function bench(): Promise<BenchRow[]> {
  await using agent = await startKernelAgent();
  const { token } = await agent.mint('read');
  const unknown: number[] = [];
  const known: number[] = [];
  /** Unknown tokens again: what two equal kinds differ by on this machine. */
  const control: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    // Both are put together in the same way, so that only their characters differ.
    const guess = (beginning: string) =>
      Buffer.from(`${beginning}${randomBytes(32).toString('base64url')}`.slice(0, 43)).toString('latin1');
    const other = guess(randomBytes(32).toString('base64url').slice(0, KNOWN));
    const begun = guess(token.slice('wlk_'.length, 'wlk_'.length + KNOWN));
    const again = guess(randomBytes(32).toString('base64url').slice(0, KNOWN));
    // In turns, each kind at each place as often, so that a busy machine wrongs none.
    const turn = [() => sample(unknown, other), () => sample(known, begun), () => sample(control, again)];
    for (let place = 0; place < turn.length; place++) await turn[(place + i) % turn.length]?.();
  }
  return [
    { name: 'refusal of an unknown token, median', value: median(unknown) * 1000, unit: 'us' },
    { name: 'refusal of a token with a known beginning, median', value: median(known) * 1000, unit: 'us' },
    { name: 'chance that the known beginning takes longer', value: separability(known, unknown), unit: '', target: '0.48-0.52' },
    { name: 'the same chance of a second unknown token (control)', value: separability(control, unknown), unit: '', target: '0.48-0.52' },
  ];

  async function sample(times: number[], random: string): Promise<void> {
    // Wrong tokens are counted; the bucket is filled again before each.
    agent.clock.advance(1000 / LIMITS.authFailuresPerSecond);
    const startMs = performance.now();
    await callKernel(agent.services.kernel, { target: '/v1/agent', token: formatToken('wlk', random) });
    times.push(performance.now() - startMs);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Mann-Whitney's U over the number of pairs: how often a value of `a` is above one of `b`. */
function separability(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))].sort((x, y) => x.value - y.value);
  let [belowB, above] = [0, 0];
  for (const { isA } of all) {
    if (isA) above += belowB;
    else belowB++;
  }
  return above / (a.length * b.length);
}
