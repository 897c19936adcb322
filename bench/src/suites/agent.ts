// What the agent costs: per request, at start, at rest, and on the command line.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { AGENT_ARGS, agentVariables } from '../../../packages/cli/src/agent-process.ts';
import { commandMs, ended, freePort, pssMegabytes, scratchFolder, startProgram } from '../processes.ts';
import type { BenchRow } from '../row.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const WEFT = join(ROOT, 'weft');
const BARE = join(ROOT, 'bench', 'src', 'bare-server.ts');
const CONNECTIONS = 32;
const SECONDS = 3;
const TURNS = 3;
const SETTLE_MS = 3000;

/** Each figure beside bare Node in the same run. */
export async function bench(): Promise<BenchRow[]> {
  using scratch = scratchFolder();
  const port = await freePort();
  // As ./weft starts it.
  const cache = join(scratch.path, 'cache', 'compile');
  const env = agentVariables({ ...process.env, NODE_COMPILE_CACHE: cache, SERVICE_HOME: scratch.path, SERVICE_PORT: String(port) });
  mkdirSync(scratch.path, { recursive: true });
  writeFileSync(
    join(scratch.path, 'config.json'),
    JSON.stringify({ limits: { rate: { runtime: { per_minute: 10_000_000, burst: 1_000_000 } } } }),
  );
  const agentUrl = `http://127.0.0.1:${port}`;
  await warmCompileCache(env, agentUrl);

  using agent = await startProgram(AGENT_ARGS, env, `${agentUrl}/probe`);
  const token = readFileSync(join(scratch.path, 'token'), 'utf8').trim();
  const barePort = await freePort();
  using bare = await startProgram([BARE, String(barePort), token], env, `http://127.0.0.1:${barePort}/`);
  await sleep(SETTLE_MS);
  const memory = { value: pssMegabytes(agent.process.pid ?? 0), rivalValue: pssMegabytes(bare.process.pid ?? 0) };
  const [own, rival] = await compareRates(`${agentUrl}/v1/agent`, `http://127.0.0.1:${barePort}/`, token);
  const status = commandMs(WEFT, ['status'], env);
  const nothing = commandMs(process.execPath, ['-e', '0'], env);
  return [
    {
      name: 'authenticated GET /v1/agent',
      value: own,
      unit: 'requests/s',
      rival: 'node:http + lookup',
      rivalValue: rival,
      target: '>= 0.45x',
    },
    {
      name: 'start to first answer, warm cache',
      value: agent.readyMs,
      unit: 'ms',
      rival: 'node:http + lookup',
      rivalValue: bare.readyMs,
      target: '< 1000 ms, aim 500',
    },
    { name: 'idle memory', ...memory, unit: 'MB PSS', rival: 'node:http + lookup', target: '< 130 MB' },
    {
      name: './weft --version',
      value: commandMs(WEFT, ['--version'], env),
      unit: 'ms',
      rival: 'node -e 0',
      rivalValue: nothing,
      target: '< 80 ms',
    },
    { name: './weft status', value: status, unit: 'ms', rival: 'node -e 0', rivalValue: nothing, target: '< 150 ms' },
  ];
}

async function warmCompileCache(env: Readonly<Record<string, string | undefined>>, url: string): Promise<void> {
  const first = await startProgram(AGENT_ARGS, env, `${url}/probe`);
  first[Symbol.dispose]();
  await ended(first.process);
}

/** Median requests a second of both, in turns. */
async function compareRates(ownUrl: string, rivalUrl: string, token: string): Promise<readonly [own: number, rival: number]> {
  const rates: { own: number[]; rival: number[] } = { own: [], rival: [] };
  for (let turn = 0; turn < TURNS; turn++) {
    rates.own.push(await rate(ownUrl, token));
    rates.rival.push(await rate(rivalUrl, token));
  }
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return [median(rates.own), median(rates.rival)];
}

async function rate(url: string, token: string): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS, headers: { authorization: `Bearer ${token}` } });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} answered ${result.non2xx} refusals and ${result.errors} errors`);
  return result.requests.average;
}
