// How long after a site's answer whoever listens hears of the step that asked: beside a program that asks and tells, and nothing else.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startAgentUnderTest } from '../agent-under-test.ts';
import { hearEvents } from '../event-stream.ts';
import { UNHURRIED } from '../monitor-fleet.ts';
import { freePort, startProgram } from '../processes.ts';
import type { BenchRow } from '../row.ts';

const BARE = join(import.meta.dirname, 'bare-events.ts');
const EVENTS = 2000;
/** Left out of the figures: nothing is warm. */
const WARM_UP = 200;
const SHARES = [0.5, 0.99] as const;

/** Milliseconds from an answer to its event. */
export async function benchEvents(): Promise<BenchRow[]> {
  const answeredMs: number[] = [];
  const site = createServer(({ url = '' }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}', () => {
      const number = /^\/answer\/(\d+)$/.exec(url)?.[1];
      if (number !== undefined) answeredMs[Number(number)] = performance.now();
    });
  });
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  try {
    const own = delays(await heardOfAgent(origin), answeredMs);
    const bare = delays(await heardOfBare(origin), answeredMs);
    return SHARES.map((share) => ({
      name: `from an answer to its event, p${share * 100}`,
      value: percentile(own, share),
      unit: 'ms',
      rival: 'node:http, undici',
      rivalValue: percentile(bare, share),
    }));
  } finally {
    site.closeAllConnections();
    site.close();
  }
}

/** When each number was heard of. */
async function heardOfAgent(origin: string): Promise<readonly number[]> {
  using agent = await startAgentUnderTest(UNHURRIED);
  const ask = { id: 'ask', type: 'request', url: `${origin}/answer/{{index}}` };
  const items = Array.from({ length: EVENTS }, (_, item) => item);
  const { id } = await agent.call<{ readonly id: number }>('POST', '/v1/workflows', {
    name: 'Answers',
    steps: [{ id: 'all', type: 'forEach', items, body: [ask] }],
    limits: { max_pages: 2 * EVENTS, max_steps: 10 * EVENTS },
  });
  const { id: runId } = await agent.call<{ readonly id: number }>('POST', `/v1/workflows/${id}/run`, {});
  const heardMs: number[] = [];
  await agent.listen(runId, ({ type, step_id: step, status }) => {
    if (type === 'step' && step === 'ask' && status === 'succeeded') heardMs.push(performance.now());
  });
  return heardMs;
}

async function heardOfBare(origin: string): Promise<readonly number[]> {
  const port = await freePort();
  using _bare = await startProgram([BARE, String(port), origin, String(EVENTS)], process.env, `http://127.0.0.1:${port}/`);
  const heardMs: number[] = [];
  await hearEvents(`http://127.0.0.1:${port}/events`, {}, () => heardMs.push(performance.now()));
  return heardMs;
}

function delays(heardMs: readonly number[], answeredMs: readonly number[]): readonly number[] {
  if (heardMs.length !== EVENTS) throw new Error(`${heardMs.length} of ${EVENTS} events were heard`);
  return heardMs.map((heard, place) => heard - (answeredMs[place] ?? 0)).slice(WARM_UP);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
