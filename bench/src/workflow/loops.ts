// Loops of many rounds: the last ones take as long as the first, and the agent takes no more memory for them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAgentUnderTest } from '../agent-under-test.ts';
import type { AgentUnderTest } from '../agent-under-test.ts';
import { UNHURRIED } from '../monitor-fleet.ts';
import type { BenchRow } from '../row.ts';

const ROUNDS = 5000;
const SHARE = 500;
const PAGE = '<!doctype html><title>Desk</title><main><h1>Desk</h1><p>A desk with one field.</p><label>Name <input id=name></label></main>';
const READ = { id: 'read', type: 'extract', fields: { heading: { selectors: ['h1'] } } };

/** Rounds of a loop, in each lane. */
const LOOPS = {
  http: { lane: 'http', before: [], body: [{ id: 'open', type: 'navigate', url: 'PAGE' }, READ] },
  browser: {
    lane: 'browser',
    before: [{ id: 'open', type: 'navigate', url: 'PAGE' }],
    body: [{ id: 'type', type: 'change', selectors: ['#name'], value: 'Round {{index}}' }, READ],
  },
} as const;

/** For each lane what the last rounds cost the agent beside the first, and what its memory grew by from those to these. */
export async function benchLoops(): Promise<BenchRow[]> {
  const site = createServer((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE));
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/desk`;
  try {
    const rows: BenchRow[] = [];
    for (const [name, loop] of Object.entries(LOOPS)) rows.push(...(await benchLoop(name, loop, url)));
    return rows;
  } finally {
    site.closeAllConnections();
    site.close();
  }
}

type Loop = (typeof LOOPS)[keyof typeof LOOPS];

async function benchLoop(name: string, loop: Loop, url: string): Promise<BenchRow[]> {
  using agent = await startAgentUnderTest(UNHURRIED);
  // What a heap takes until it is warm belongs to no round.
  await goRounds(agent, loop, url);
  const { cpuMs, megabytes } = await goRounds(agent, loop, url);
  const tookMs = (rounds: number) => (cpuMs.get(rounds) ?? 0) - (cpuMs.get(rounds - SHARE) ?? 0);
  return [
    {
      name: `${ROUNDS} rounds by ${name}: the last ${SHARE}`,
      value: tookMs(ROUNDS),
      unit: 'ms CPU',
      rival: `the first ${SHARE}`,
      rivalValue: tookMs(SHARE),
      target: '<= 1.2x',
    },
    {
      name: `${ROUNDS} rounds by ${name}: memory behind them`,
      value: megabytes.get(ROUNDS) ?? 0,
      unit: 'MB',
      rival: `behind the first ${SHARE}`,
      rivalValue: megabytes.get(SHARE) ?? 0,
      target: '<= 20 MB more',
    },
  ];
}

/** What the agent had used, and how much memory it had, after each SHARE of rounds. Throws where not all were gone. */
async function goRounds(agent: AgentUnderTest, { lane, before, body }: Loop, url: string) {
  const at = <Step extends object>(step: Step) => ('url' in step ? { ...step, url } : step);
  const items = Array.from({ length: ROUNDS }, (_, item) => item);
  const { id } = await agent.call<{ readonly id: number }>('POST', '/v1/workflows', {
    name: 'Loop',
    lane,
    steps: [...before.map(at), { id: 'all', type: 'forEach', items, body: body.map(at) }],
    limits: { max_pages: 10 * ROUNDS, max_steps: 10 * ROUNDS },
  });
  const cpuMs = new Map<number, number>();
  const megabytes = new Map<number, number>();
  let rounds = 0;
  const note = () => {
    cpuMs.set(rounds, agent.cpuMs());
    megabytes.set(rounds, agent.residentMegabytes());
  };
  note();
  const { id: runId } = await agent.call<{ readonly id: number }>('POST', `/v1/workflows/${id}/run`, {});
  await agent.listen(runId, ({ type, step_id: step, status }) => {
    if (type === 'step' && step === 'read' && status === 'succeeded' && ++rounds % SHARE === 0) note();
  });
  if (rounds !== ROUNDS) throw new Error(`${rounds} of ${ROUNDS} rounds were gone`);
  return { cpuMs, megabytes };
}
