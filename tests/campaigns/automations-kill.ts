// Kills an agent with SIGKILL while automations act, starts it again, and looks that each change set one off once, and each action was done once (D39, F1).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startProgram } from '../conformance/program.ts';
import type { Program } from '../conformance/program.ts';
import { SECRET } from '../noticing.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';

export const roundsInTests = 1;

const MONITORS = 4;
/** Pages, workflows and webhooks that a life may ask for, at most, before it is killed. */
const REQUESTS_MAX = 40;
const PLACES = 3;

/** Each life checks pages that are never the same twice, and is killed at one of its requests. A last life does what is left, and sees a change more. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const home = mkdtempSync(join(tmpdir(), 'weft-automations-kill-'));
  let price = 0;
  let onRequest = () => {};
  await using site = await serveOnLoopback((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Lamp</h1><p class="price">$${++price}</p>`);
    if (request.url !== '/robots.txt') queueMicrotask(onRequest);
  });
  try {
    await prepare(home, site.origin);
    for (let round = 0; round < rounds; round++) {
      await using program = await startProgram({ home });
      const token = await program.ready();
      let left = 1 + Math.floor(random() * REQUESTS_MAX);
      const killed = Promise.withResolvers<void>();
      onRequest = () => {
        if (--left === 0) killed.resolve(void program.process.kill('SIGKILL'));
      };
      await Promise.race([killed.promise, ...Array.from({ length: MONITORS }, (_, i) => checkOnAndOn(program, token, i + 1))]);
      await program.exit;
    }
    onRequest = () => {};
    await using last = await startProgram({ home });
    const token = await last.ready();
    // A kill at a first request leaves nothing to compare with: two checks more are a change at least.
    for (let check = 0; check < 2; check++) await (await call(last, token, 'POST', '/v1/monitors/1/run?wait=true')).text();
    await untilStill(last, token, home);
    log(`${rounds} kills: ${judge(home)}`);
  } finally {
    rmSync(home, { recursive: true });
  }
}

async function call(program: Program, token: string, method: string, path: string, body?: unknown): Promise<Response> {
  return await fetch(`${program.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function prepare(home: string, origin: string): Promise<void> {
  await using program = await startProgram({ home });
  const token = await program.ready();
  const make = async (path: string, body: object) => {
    const response = await call(program, token, 'POST', path, body);
    assert.equal(response.status, 201, await response.clone().text());
  };
  await make('/x/notices/channels', { name: 'hook', to: { kind: 'webhook', url: `${origin}/hook` }, secrets: { secret: SECRET } });
  await make('/v1/workflows', { name: 'Look', steps: [{ id: 'open', type: 'navigate', url: `${origin}/look` }] });
  for (let id = 1; id <= MONITORS; id++) {
    const selectors = [{ selector: '.price', extractors: [{ type: 'price' }] }];
    // Its changes are told by automations alone.
    await make('/v1/monitors', { url: `${origin}/${id}`, active: false, respect_robots: false, selectors, trouble: { after: 1000 } });
    await make('/v1/automations', {
      name: `On ${id}`,
      triggers: [{ type: 'change', monitor_id: id }],
      mode: 'parallel',
      max: 100,
      actions: [
        { type: 'run_workflow', workflow_id: 1, continue_on_error: true },
        { type: 'notify', body: '{{trigger.summary}}' },
        { type: 'run_workflow', workflow_id: 1, wait: false },
      ],
    });
  }
}

/** Until the agent is gone. */
async function checkOnAndOn(program: Program, token: string, id: number): Promise<void> {
  try {
    for (;;) await (await call(program, token, 'POST', `/v1/monitors/${id}/run?wait=true`)).text();
  } catch {
    // It was killed, as it should be.
    await program.exit;
  }
}

async function untilStill(program: Program, token: string, home: string): Promise<void> {
  for (;;) {
    const live = await Promise.all(
      ['queued', 'running'].map(async (status) => {
        const response = await call(program, token, 'GET', `/v1/runs?status=${status}&limit=1`);
        return ((await response.json()) as { total: number }).total;
      }),
    );
    if (live.every((count) => count === 0) && read(home, 'SELECT count(*) AS n FROM automation_cause') === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function read(home: string, sql: string): number {
  const database = new DatabaseSync(join(home, 'weft.db'), { readOnly: true });
  try {
    return (database.prepare(sql).get() as { n: number }).n;
  } finally {
    database.close();
  }
}

/** Asserts what must hold; what there was, in words. */
function judge(home: string): string {
  const count = (sql: string) => read(home, `SELECT count(*) AS n FROM ${sql}`);
  const changes = count(`(SELECT 1 FROM monitor_change WHERE kind = 'price' GROUP BY run_id)`);
  const runs = count(`run WHERE kind = 'automation'`);
  assert.ok(changes > 0, 'there were changes');
  assert.equal(runs, changes, 'each change set its automation off once');
  const distinct = count(`(SELECT DISTINCT trigger ->> '$.run.id' FROM automation_run)`);
  assert.equal(distinct, changes, 'and none of them stands for another');
  assert.equal(count(`run WHERE kind = 'automation' AND status <> 'succeeded'`), 0, 'each of them came to its end');
  assert.equal(count(`automation_action WHERE finished_at IS NOT NULL`), runs * PLACES, 'with all of its actions');
  const children = count(`run WHERE kind = 'workflow' AND parent_id IN (SELECT run_id FROM automation_run)`);
  assert.equal(children, runs * 2, 'each of which made its run once');
  assert.equal(count(`(SELECT DISTINCT child_id FROM automation_action WHERE child_id IS NOT NULL)`), children);
  const told = count(`delivery WHERE event = 'automation.notice'`);
  assert.equal(told, runs, 'and told once');
  return `${changes} changes, ${runs} runs, ${children} runs of workflows, ${told} notices: none lost, none twice`;
}
