// Workflows on the real applications that people log in to: rows as their own APIs have them, sessions that are used and made anew, and codes at any second.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account, LoginApp, LoginSite, Row } from '../../bench/apps/login-app.ts';
import { workflowOf } from '../sites/login-workflow.ts';
import { LOGINS } from '../../bench/apps/logins.ts';
import { freeAddress, installApp, placeOf, startApp, takeHome } from '../../bench/apps/runner.ts';
import { type CountingProxy, startCountingProxy } from '../../bench/src/counting-proxy.ts';
import { freePort } from '../../bench/src/processes.ts';
import { SETTINGS } from '../../bench/src/settings.ts';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startProgram } from '../conformance/program.ts';

export const needs = 'Debian packages of applications';

const AT_ONCE = 5;
/** A login may have to wait for the next code. */
const WAIT_SECONDS = 300;
const PERIOD_MS = 30_000;
const CODES_A_ROUND = 3;
const ROWS_A_PAGE = 100;

/** An application under test, as the agent sees it. */
interface Subject {
  readonly name: string;
  readonly site: LoginSite;
  readonly proxy: CountingProxy;
  readonly workflowId: number;
  readonly truth: readonly Row[];
}

/** An agent of the campaign's own. */
interface Agent {
  /** What it answers. Throws unless that is a success. */
  ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** The events of a settled run, from the first on. */
  events(runId: number): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/**
 * A round runs each workflow with the session that is there, again after the server has ended it, and five times at once after that;
 * then three accounts with seeds log in at random seconds. Applications come one after the other; `BENCH_APPS` takes some.
 */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  using _home = takeHome(SETTINGS.appsFolder);
  await using program = await startProgram();
  const agent = agentAt(program.baseUrl, await program.ready());
  const random = mulberry32(seed);
  const asked = LOGINS.filter(({ software }) => SETTINGS.appNames.length === 0 || SETTINGS.appNames.includes(software.name));
  for (const app of asked) await runApp(app, agent, async (subject) => runRounds(subject, agent, { rounds, random, log }));
}

function agentAt(baseUrl: string, token: string): Agent {
  const authorization = `Bearer ${token}`;
  return {
    async ask(method, path, body) {
      const sent =
        body === undefined
          ? { headers: { authorization } }
          : { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(baseUrl + path, { method, ...sent });
      const answer = (await response.json()) as Record<string, unknown>;
      assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
      return answer;
    },
    async events(runId) {
      const response = await fetch(`${baseUrl}/v1/runs/${runId}/events`, { headers: { authorization, accept: 'text/event-stream' } });
      const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data:'));
      return lines.map((line) => JSON.parse(line.slice('data:'.length)) as Record<string, unknown>);
    },
  };
}

/** The application listens inside; the counting proxy has the address that the agent sees. */
async function runApp({ software, site: siteOf }: LoginApp, agent: Agent, work: (subject: Subject) => Promise<void>): Promise<void> {
  await installApp(software, SETTINGS.appsFolder);
  const outer = await freeAddress(software);
  const inner = { host: outer.host, port: await freePort(), origin: outer.origin };
  const proxy = await startCountingProxy(outer, inner);
  try {
    const running = await startApp(software, SETTINGS.appsFolder, inner);
    try {
      const place = placeOf(software, SETTINGS.appsFolder);
      const site = siteOf({ place, origin: running.origin, restart: () => running.restart() });
      const truth = await site.list.rows();
      const workflowId = await createWorkflow(agent, software.name, site, site.login);
      await work({ name: software.name, site, proxy, workflowId, truth });
    } finally {
      await running.stop();
    }
  } finally {
    await proxy.stop();
  }
}

interface Rounds extends Pick<CampaignOptions, 'rounds' | 'log'> {
  readonly random: () => number;
}

async function runRounds(subject: Subject, agent: Agent, { rounds, random, log }: Rounds): Promise<void> {
  const { name, site, truth } = subject;
  const guarded = site.accounts.filter(({ totpSeed }) => totpSeed !== undefined).slice(1);
  const ids = await Promise.all(guarded.map((account) => createWorkflow(agent, `${name} as ${account.username}`, site, account, 'fresh')));
  let logins = 0;
  let codes = 0;
  for (let round = 0; round < rounds; round++) {
    logins += await countLogins(subject, () => runOnce(subject, agent), round === 0 ? 1 : 0);
    await site.endSessions();
    logins += await countLogins(subject, () => runOnce(subject, agent), 1);
    await site.endSessions();
    logins += await countLogins(subject, () => Promise.all(Array.from({ length: AT_ONCE }, () => runOnce(subject, agent))), 1);
    const turn =
      ids.length === 0 ? [] : Array.from({ length: CODES_A_ROUND }, (_, at) => ids[(round * CODES_A_ROUND + at) % ids.length] ?? 0);
    for (const workflowId of turn) {
      await sleep(random() * PERIOD_MS);
      await runOnce({ ...subject, workflowId }, agent);
      codes++;
    }
    log(`${name}, round ${round + 1}: ${truth.length} rows as its API says, ${logins} logins, ${codes} with a code at a random second`);
  }
}

/** What `work` did, and that the server saw so many passwords meanwhile. */
async function countLogins({ name, site, proxy }: Subject, work: () => Promise<unknown>, wanted: number): Promise<number> {
  proxy.take();
  await work();
  const logins = proxy.take().filter((request) => site.isLogin(request)).length;
  assert.equal(logins, wanted, `${name}: so many logins at the server`);
  return logins;
}

/** A run succeeds with the rows that the application's own API has, on the lane that it needs. */
async function runOnce({ name, site, workflowId, truth }: Subject, agent: Agent): Promise<void> {
  const run = await agent.ask('POST', `/v1/workflows/${workflowId}/run?wait=true&timeout=${WAIT_SECONDS}`);
  assert.equal(run['status'], 'succeeded', `${name}: ${JSON.stringify(run)}`);
  const id = Number(run['id']);
  const lanes = new Set((await agent.events(id)).map((event) => event['lane']).filter((lane) => lane !== undefined));
  assert.deepEqual([...lanes], [site.form.opener === undefined ? 'http' : 'browser'], `${name}: the lane`);
  assert.deepEqual(await rowsOf(agent, id, Object.keys(site.list.columns)), truth, `${name}: the rows`);
}

async function rowsOf(agent: Agent, runId: number, columns: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const slice = await agent.ask('GET', `/v1/runs/${runId}/data?limit=${ROWS_A_PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    for (const row of slice['data'] as Readonly<Record<string, unknown>>[])
      rows.push(Object.fromEntries(columns.map((column) => [column, String(row[column] ?? '')])));
    cursor = slice['next_cursor'] as string | undefined;
  }
  return rows;
}

/** The id of a workflow that acts as the account, which becomes a persona. */
async function createWorkflow(agent: Agent, name: string, site: LoginSite, account: Account, session?: 'fresh'): Promise<number> {
  const { username, password, totpSeed } = account;
  const persona = await agent.ask('POST', '/v1/personas', {
    name,
    origins: [site.origin],
    username,
    password,
    ...(totpSeed === undefined ? {} : { totp_seed: totpSeed }),
  });
  const workflow = await agent.ask('POST', '/v1/workflows', workflowOf(name, site, Number(persona['id']), session));
  return Number(workflow['id']);
}
