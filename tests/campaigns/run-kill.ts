// Kills an agent with SIGKILL in the middle of runs of workflows: each is settled once, and the site's own log has nothing that was sent twice (F1, D20).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { liveRuns, openForReading, refuseHalfRows } from '../conformance/half-rows.ts';
import type { Program } from '../conformance/program.ts';
import { startProgram } from '../conformance/program.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';

export const roundsInTests = 2;

/** Runs that one life begins. */
const RUNS = 3;
const ITEMS = [1, 2, 3];
/** By HTTP each run sends a form, a payment and its items; in a browser a form alone. */
const SENT = ['order', 'pay', ...ITEMS.map((item) => `item-${item}`)];
/** A browser is started in every so manieth life: it takes seconds. */
const BROWSER_EVERY = 10;
/** Answers to whatever came within so long are on their way when it ends. */
const KILL_MS_MAX = 40;
const PATIENCE_MS = 60_000;

/** What was sent, by the name that its run gave it, and how often. */
type SiteLog = Map<string, string[]>;

/** A call that begins a run; repeated under its key until it is answered. */
interface Order {
  readonly name: string;
  readonly workflow: number;
  id?: number;
}

/** One round is one life of the agent, which ends at one of the requests of its runs, before or after the answer. A last life checks the whole. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const home = mkdtempSync(join(tmpdir(), 'weft-run-kill-'));
  const sent: SiteLog = new Map();
  let onRequest = async (): Promise<void> => undefined;
  await using site = await startShop(sent, () => onRequest());
  const orders: Order[] = [];
  let inTheMiddle = 0;
  try {
    const workflows = await makeWorkflows(home, site.url);
    for (let round = 1; round <= rounds; round++) {
      await using program = await startProgram({ home });
      const killed = Promise.withResolvers<void>();
      const isInBrowser = round % BROWSER_EVERY === 0;
      // The page of each run, and what it sends.
      let left = Math.floor(random() * RUNS * (isInBrowser ? 2 : SENT.length + 1));
      onRequest = async () => {
        if (left-- !== 0) return;
        const isBeforeAnswer = random() < 0.5;
        const end = sleep(random() * KILL_MS_MAX).then(() => killed.resolve());
        if (isBeforeAnswer) await end;
      };
      const token = await program.ready();
      const workflow = isInBrowser ? workflows.browser : workflows.http;
      for (let run = 0; run < RUNS; run++) orders.push({ name: `${round}-${run}`, workflow });
      const begun = beginAll(orders, program, token);
      await Promise.race([killed.promise, sleep(PATIENCE_MS).then(() => assert.fail(`life ${round} asks for too little`))]);
      program.process.kill('SIGKILL');
      await Promise.all([program.exit, begun]);
      if (isInTheMiddle(home, sent)) inTheMiddle++;
      if (round % 20 === 0 || round === rounds) log(`${round} kills, ${inTheMiddle} of them with a run that had sent something`);
    }
    onRequest = async () => undefined;
    await using last = await startProgram({ home });
    const token = await last.ready();
    await beginAll(orders, last, token);
    await settleAll(last, token);
    log(checkAll(home, orders, sent));
  } finally {
    rmSync(home, { recursive: true });
  }
}

async function makeWorkflows(home: string, site: string): Promise<{ readonly http: number; readonly browser: number }> {
  await using program = await startProgram({ home });
  const token = await program.ready();
  const inputs = { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] };
  const open = { id: 'open', type: 'navigate', url: site };
  const read = { id: 'rows', type: 'extractList', selectors: ['li'], fields: { name: { selectors: ['b'] } } };
  const send = (id: string, what: string) => ({ id, type: 'request', method: 'POST', url: site, form: { n: '{{inputs.n}}', what } });
  const http = [
    open,
    { id: 'order', type: 'form', selectors: ['form'], fields: { n: '{{inputs.n}}' } },
    read,
    send('pay', 'pay'),
    { id: 'items', type: 'forEach', items: ITEMS, as: 'item', body: [send('item', 'item-{{item}}')] },
  ];
  const browser = [
    open,
    { id: 'words', type: 'change', selectors: ['[name=n]'], value: '{{inputs.n}}' },
    { id: 'send', type: 'click', selectors: ['button'] },
    read,
  ];
  const create = async (name: string, lane: string, steps: object[]) =>
    (await post<{ id: number }>(program, token, '/v1/workflows', { name, lane, inputs, steps })).id;
  return { http: await create('Orders', 'http', http), browser: await create('Desk', 'browser', browser) };
}

/** Asks for each run until it is answered once; those of a life that ended are asked for again in the next, under the same key. */
async function beginAll(orders: readonly Order[], program: Program, token: string): Promise<void> {
  const begin = async (order: Order) => {
    const { name, workflow } = order;
    const path = `/v1/workflows/${workflow}/run`;
    const { id } = await post<{ id: number }>(program, token, path, { inputs: { n: name } }, { 'idempotency-key': name });
    order.id = id;
  };
  const results = await Promise.allSettled(orders.filter(({ id }) => id === undefined).map(begin));
  for (const result of results) if (result.status === 'rejected' && result.reason instanceof assert.AssertionError) throw result.reason;
}

async function post<T>(program: Program, token: string, path: string, body: object, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(`${program.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  assert.ok(response.ok, `${path} answered ${response.status}: ${answer}`);
  return JSON.parse(answer) as T;
}

/** Waits for every run through its event stream, whose end is the end of the run. */
async function settleAll(program: Program, token: string): Promise<void> {
  for (const id of liveRuns(program.home)) {
    const response = await fetch(`${program.baseUrl}/v1/runs/${id}/events`, { headers: { authorization: `Bearer ${token}` } });
    assert.match(await response.text(), /"type":"finished"/);
  }
}

/** True where the agent ended while a run was live that the site has heard of. */
function isInTheMiddle(home: string, sent: SiteLog): boolean {
  using database = openForReading(home);
  const rows = database.sql.prepare(
    `SELECT inputs ->> '$.n' AS name FROM workflow_run JOIN run ON run.id = run_id WHERE status NOT IN ('succeeded', 'failed', 'cancelled')`,
  );
  return (rows.all() as unknown as { name: string }[]).some(({ name }) => sent.has(name));
}

/** Every run is settled once, and the site's log is what it did: all of it where it succeeded, its beginning where it was ended. */
function checkAll(home: string, orders: readonly Order[], sent: SiteLog): string {
  using database = openForReading(home);
  refuseHalfRows(database.sql);
  const rows = database.sql.prepare(
    `SELECT run.id, inputs ->> '$.n' AS name, status, failure ->> '$.code' AS code, source_id AS workflow, lane FROM workflow_run JOIN run ON run.id = run_id`,
  );
  const runs = rows.all() as unknown as { id: number; name: string; status: string; code: string | null; lane: string | null }[];
  assert.deepEqual(
    runs.map(({ id, name }) => [name, id]).toSorted(),
    orders.map(({ id, name }) => [name, id]).toSorted(),
    'each call began one run, whose id it was told',
  );
  const counts = { succeeded: 0, interrupted: 0, begun: 0, posts: 0 };
  for (const { name, status, code } of runs) {
    const done = sent.get(name) ?? [];
    const whole = Number(name.split('-')[0]) % BROWSER_EVERY === 0 ? SENT.slice(0, 1) : SENT;
    counts.posts += done.length;
    if (status === 'succeeded') assert.deepEqual(done, whole, `run ${name} succeeded`);
    else {
      assert.equal(`${status} ${code}`, 'failed interrupted', `run ${name}`);
      assert.deepEqual(done, whole.slice(0, done.length), `run ${name} was ended`);
    }
    if (status === 'succeeded') counts.succeeded++;
    else counts.interrupted++;
    if (status !== 'succeeded' && done.length > 0) counts.begun++;
  }
  assert.deepEqual(
    [...sent.keys()].filter((name) => !runs.some((run) => run.name === name)),
    [],
    'nothing was sent but by these runs',
  );
  return `${runs.length} runs, each settled once: ${counts.succeeded} succeeded, ${counts.interrupted} interrupted, ${counts.begun} of these after they had sent something; ${counts.posts} POSTs in the site's log, none twice`;
}

/** A form, what it leads to, and a log of what it was sent; `onRequest` may hold an answer back. */
async function startShop(sent: SiteLog, onRequest: () => Promise<void>) {
  return await serveOnLoopback(async (request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    if (request.method === 'POST') {
      const { n = '', what = 'order' } = Object.fromEntries(new URLSearchParams(await text(request)));
      sent.set(n, [...(sent.get(n) ?? []), what]);
    }
    await onRequest();
    const body = '<form method=post action=/><input name=n><button>Order</button></form><ul><li><b>Tea</b></li><li><b>Milk</b></li></ul>';
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Shop</title><h1>Shop</h1>${body}`);
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
