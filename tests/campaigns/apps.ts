// Workflows, recorded and written, on the real applications that people log in to: rows as their own APIs have them, sessions that are used and made anew, codes at any second, and a question that a person answers.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import type { Account, Captcha, FirstLogin, LoginApp, LoginSite, Row } from '../../bench/apps/login-app.ts';
import { findBrowser, launchBrowser } from '../browser.ts';
import { listSteps, workflowOf } from '../sites/login-workflow.ts';
import { recordLogin } from '../sites/record-login.ts';
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
  /** True where its rows have the names that a recording gives them. */
  readonly isRecorded: boolean;
}

/** An agent of the campaign's own. */
interface Agent {
  /** What it answers. Throws unless that is a success. */
  ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** The events of a settled run, from the first on. */
  events(runId: number): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/**
 * A round runs what was recorded with the session that is there, again after the server has ended it, and five times at once after that;
 * then three accounts with seeds log in at random seconds. Before that, a question for people is answered on our page where a form asks one,
 * and a password that has to be changed at the first login is changed.
 * Applications come one after the other; `BENCH_APPS` takes some.
 */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  using _home = takeHome(SETTINGS.appsFolder);
  await using program = await startProgram();
  const agent = agentAt(program.baseUrl, await program.ready());
  const random = mulberry32(seed);
  const names = LOGINS.map(({ software }) => software.name);
  const unknown = SETTINGS.appNames.filter((name) => !names.includes(name));
  assert.deepEqual(unknown, [], `nobody logs in to these; there are ${names.join(', ')}`);
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
      const made = await createRecorded(agent, software.name, site);
      await work({ name: software.name, site, proxy, truth, ...made });
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
  if (site.captcha) await answerQuestion(subject, site.captcha, agent);
  if (site.firstLogin) await changePassword(subject, site.firstLogin, agent);
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
      await runOnce({ ...subject, workflowId, isRecorded: false }, agent);
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
async function runOnce({ name, site, workflowId, truth, isRecorded }: Subject, agent: Agent): Promise<void> {
  const run = await agent.ask('POST', `/v1/workflows/${workflowId}/run?wait=true&timeout=${WAIT_SECONDS}`);
  const id = Number(run['id']);
  const events = await agent.events(id);
  assert.equal(run['status'], 'succeeded', `${name}: ${JSON.stringify(run)}\n${events.map((event) => JSON.stringify(event)).join('\n')}`);
  const lanes = new Set(events.map((event) => event['lane']).filter((lane) => lane !== undefined));
  assert.deepEqual([...lanes], [site.form.opener === undefined ? 'http' : 'browser'], `${name}: the lane`);
  const rows = await rowsOf(agent, id);
  if (isRecorded) return requireValues(name, site, rows, truth);
  const columns = Object.keys(site.list.columns);
  const named = rows.map((row) => Object.fromEntries(columns.map((column) => [column, String(row[column] ?? '')])));
  assert.deepEqual(named, truth, `${name}: the rows`);
}

type Found = Readonly<Record<string, unknown>>;

/** Each row that was found holds all that the API says of it, under whatever names. */
function requireValues(name: string, { origin }: LoginSite, rows: readonly Found[], truth: readonly Row[]): void {
  assert.equal(rows.length, truth.length, `${name}: as many rows as its API has`);
  for (const [place, wanted] of truth.entries()) {
    const row = rows[place] ?? {};
    const values = Object.values(row).flatMap((value) => [String(value ?? '').trim(), URL.parse(String(value), origin)?.href]);
    for (const value of Object.values(wanted))
      assert.ok(values.includes(value), `${name}: row ${place + 1} of what was recorded lacks "${value}": ${JSON.stringify(row)}`);
  }
}

async function rowsOf(agent: Agent, runId: number): Promise<Found[]> {
  const rows: Found[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const slice = await agent.ask('GET', `/v1/runs/${runId}/data?limit=${ROWS_A_PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    rows.push(...(slice['data'] as Found[]));
    cursor = slice['next_cursor'] as string | undefined;
  }
  return rows;
}

/** What was recorded of the login and the list; the list is written where only its login can be: behind a button, or as it is scrolled. */
async function createRecorded(
  agent: Agent,
  name: string,
  site: LoginSite,
): Promise<{ readonly workflowId: number; readonly isRecorded: boolean }> {
  const home = mkdtempSync(join(tmpdir(), 'weft-recordings-'));
  const fetcher = createFetcher({ home, chromePath: await findBrowser(), gate: createAddressGate({ mode: 'agent' }) });
  try {
    const { steps } = await recordLogin(fetcher.sessions, site);
    assert.equal(steps[0]?.type, 'login', `${name}: its login was recorded as ${steps.map(({ type }) => type).join(', ')}`);
    const isRecorded = site.list.isVirtual !== true && site.list.offset === undefined;
    const persona = await createPersona(agent, name, site, site.login);
    const whole = isRecorded ? steps : [steps[0], ...listSteps(site)];
    const workflow = await agent.ask('POST', '/v1/workflows', { name, persona_id: persona, steps: whole });
    return { workflowId: Number(workflow['id']), isRecorded };
  } finally {
    await fetcher.close();
    rmSync(home, { recursive: true });
  }
}

async function createPersona(agent: Agent, name: string, site: LoginSite, account: Account): Promise<number> {
  const { username, password, totpSeed } = account;
  const persona = await agent.ask('POST', '/v1/personas', {
    name,
    origins: [site.origin],
    username,
    password,
    ...(totpSeed === undefined ? {} : { totp_seed: totpSeed }),
  });
  return Number(persona['id']);
}

/** The id of a workflow that acts as the account, which becomes a persona. */
async function createWorkflow(agent: Agent, name: string, site: LoginSite, account: Account, session?: 'fresh'): Promise<number> {
  const workflow = await agent.ask(
    'POST',
    '/v1/workflows',
    workflowOf(name, site, await createPersona(agent, name, site, account), session),
  );
  return Number(workflow['id']);
}

/** A run meets the form that demands another password, and gives it one that is a secret; with that another run logs in and reads the list. */
async function changePassword(subject: Subject, { account, newPassword, form, demand }: FirstLogin, agent: Agent): Promise<void> {
  const { name, site } = subject;
  await demand();
  const key = `new-password-of-${name}`;
  await agent.ask('POST', '/v1/secrets', { key, value: newPassword, origins: [site.origin] });
  const written = workflowOf(name, site, await createPersona(agent, `${name} at first`, site, account), 'fresh');
  const type = (id: string, selector: string, value: string) => ({ id, type: 'change', selectors: [selector], value });
  const { id } = await agent.ask('POST', '/v1/workflows', {
    ...written,
    steps: [
      {
        ...(written['steps'] as readonly Readonly<Record<string, unknown>>[])[0],
        success: { page: { selectors: [form.next] }, op: 'exists' },
      },
      type('old', form.old, '{{persona.password}}'),
      type('new', form.next, `{{secret:${key}}}`),
      type('again', form.again, `{{secret:${key}}}`),
      { id: 'save', type: 'click', selectors: [form.submit] },
      { id: 'gone', type: 'waitForElement', selectors: [form.next], operator: '==', count: 0 },
      { id: 'list', type: 'navigate', url: site.list.url },
      { id: 'in', type: 'waitForElement', selectors: [site.form.proof] },
    ],
  });
  const run = await agent.ask('POST', `/v1/workflows/${Number(id)}/run?wait=true&timeout=${WAIT_SECONDS}`);
  assert.equal(run['status'], 'succeeded', `${name}, a password that has to be changed: ${JSON.stringify(run)}`);
  const workflowId = await createWorkflow(agent, `${name} with its new password`, site, { ...account, password: newPassword }, 'fresh');
  await runOnce({ ...subject, workflowId, isRecorded: false }, agent);
}

/** A run that saves a form waits at its question, which a person answers on our page in another browser; then it goes on. */
async function answerQuestion({ name, site }: Subject, captcha: Captcha, agent: Agent): Promise<void> {
  const text = `Written by a run at ${Date.now()}`;
  const answer = { selectors: [captcha.answer] };
  const written = workflowOf(name, site, await createPersona(agent, `${name} asked`, site, site.accounts.at(-1) ?? site.login));
  const { id: workflow } = await agent.ask('POST', '/v1/workflows', {
    ...written,
    lane: 'browser',
    steps: [
      (written['steps'] as readonly unknown[])[0],
      { id: 'form', type: 'navigate', url: captcha.url },
      { id: 'words', type: 'change', selectors: [captcha.field], value: text },
      { id: 'save', type: 'click', selectors: [captcha.submit] },
      { id: 'asked', type: 'extract', fields: { question: { selectors: [captcha.question], required: true } } },
      { id: 'field', type: 'click', ...answer },
      {
        id: 'person',
        type: 'pause',
        reason: 'captcha',
        instructions: '{{steps.asked.out.question}}',
        resume: { not: { page: answer, op: 'exists' } },
      },
    ],
  });
  const begun = await agent.ask('POST', `/v1/workflows/${Number(workflow)}/run`);
  const id = Number(begun['id']);
  const until = async (wanted: string) => {
    for (;;) {
      const run = await agent.ask('GET', `/v1/runs/${id}`);
      if (run['status'] === wanted) return;
      assert.ok(!/succeeded|failed|cancelled/.test(String(run['status'])), `${name}: the run that asks ended: ${JSON.stringify(run)}`);
      await sleep(200);
    }
  };
  await until('waiting_human');
  const browser = await launchBrowser();
  try {
    const { url } = await agent.ask('POST', `/x/runs/${id}/screen`);
    const page = await browser.newPage();
    await page.goto(String(url));
    await page.locator('body[data-acts=true][data-seen=true]').waitFor();
    const question = (await page.innerText('#instructions')).trim();
    await page.locator('img').focus();
    await page.keyboard.type(captcha.answers[question] ?? '');
    await page.keyboard.press('Enter');
    await until('succeeded');
  } finally {
    await browser.close();
  }
  assert.equal((await captcha.text()).trim(), text, `${name}: what the run saved`);
}
