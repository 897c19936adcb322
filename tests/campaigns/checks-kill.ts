// Kills an agent with SIGKILL while it checks, keeps changes and delivers them: none is lost, none is there twice, schedules go on (F1, D36).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { mulberry32 } from '../conformance/fuzz.ts';
import { startProgram } from '../conformance/program.ts';
import { SECRET } from '../noticing.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import { serveReceiver } from '../sites/receiver.ts';
import type { ReceivedCall } from '../sites/receiver.ts';

export const roundsInTests = 2;

const PAGES = 24;
const EVERY_SECONDS = 5;
/** The agent is killed at one of the first so many requests, of pages and of deliveries, that it makes in its life. */
const REQUESTS_MAX = 3 * PAGES;
/** Fewer come where it begins no further check before the next interval. */
const LIFE_MS_MAX = 20_000;
const EDIT_MS = 15;
const PATIENCE_MS = 60_000;

/** One round is one life of the agent, in which pages are edited all the time. A last life sees and tells what is left. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const random = mulberry32(seed);
  const home = mkdtempSync(join(tmpdir(), 'weft-checks-kill-'));
  const versions = Array.from({ length: PAGES }, () => 1);
  let onRequest = () => {};
  await using site = await startSite(versions, () => onRequest());
  await using receiver = await serveReceiver(() => {
    onRequest();
    return { status: 200 };
  });
  try {
    await makeMonitors(home, site.url, receiver.url);
    const edit = () => void versions[Math.floor(random() * PAGES)]!++;
    for (let round = 1; round <= rounds; round++) {
      const editing = setInterval(edit, EDIT_MS);
      await using program = await startProgram({ home });
      const { promise, resolve } = Promise.withResolvers<void>();
      let left = Math.floor(random() * REQUESTS_MAX);
      onRequest = () => void (left-- === 0 && resolve());
      await Promise.race([promise, new Promise((end) => setTimeout(end, LIFE_MS_MAX))]);
      program.process.kill('SIGKILL');
      await program.exit;
      clearInterval(editing);
      using rows = openRows(home);
      checkRows(rows);
      if (round % 5 === 0 || round === rounds) log(`${round} kills, ${rows.one('SELECT count(*) FROM monitor_change')} changes`);
    }
    await using last = await startProgram({ home });
    await last.ready();
    await finish(home, versions, receiver.calls);
    using rows = openRows(home);
    checkRows(rows);
    const told = rows.all<{ id: string; change: number }>(`SELECT message_id AS id, data ->> '$.change.id' AS change FROM delivery`);
    const heard = new Map(receiver.calls.map(({ headers, body }) => [String(headers['webhook-id']), changeIdIn(body)]));
    assert.deepEqual(
      [...heard].sort(),
      told.map(({ id, change }) => [id, change]).sort(),
      'each delivery arrived under its one id, and no other',
    );
    log(
      `${rows.one('SELECT sum(checks) FROM monitor')} checks, ${told.length} changes, each told in ${receiver.calls.length} calls: none lost, none twice`,
    );
  } finally {
    rmSync(home, { recursive: true });
  }
}

async function makeMonitors(home: string, site: string, hook: string): Promise<void> {
  await using program = await startProgram({ home });
  const token = await program.ready();
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${program.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(response.status, 201, await response.clone().text());
  };
  await post('/x/notices/channels', { name: 'hook', to: { kind: 'webhook', url: hook }, secrets: { secret: SECRET } });
  for (let i = 0; i < PAGES; i++)
    await post('/v1/monitors', {
      url: `${site}${i}`,
      schedule: { every: EVERY_SECONDS },
      selectors: [{ selector: '.n', extractors: [{ type: 'number' }] }],
    });
}

/** Until each page was seen as it is now, and all of it is told. */
async function finish(home: string, versions: readonly number[], calls: readonly ReceivedCall[]): Promise<void> {
  for (const startedMs = performance.now(); ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    using rows = openRows(home);
    const known = rows.all<{ n: number }>(`SELECT known ->> '$.value' AS n FROM monitor_value ORDER BY monitor_id`).map(({ n }) => n);
    const pending = rows.one(`SELECT count(*) FROM delivery WHERE status <> 'sent'`);
    if (pending === 0 && known.join() === versions.join()) return;
    const where = `${pending} deliveries are left of ${calls.length} calls; known ${known.join()}, on the pages ${versions.join()}`;
    assert.ok(performance.now() - startedMs < PATIENCE_MS, where);
  }
}

/** What must never be; each query must find nothing. */
const WRONG: Readonly<Record<string, string>> = {
  'a change that does not begin where the one before it ended': `SELECT id FROM (SELECT id, old, lag(new) OVER (PARTITION BY monitor_id ORDER BY id) AS before
    FROM monitor_change) WHERE before IS NOT NULL AND old <> before`,
  'a change to what was there already': 'SELECT id FROM monitor_change WHERE CAST(new AS INTEGER) <= CAST(old AS INTEGER)',
  'a change that is no change of a value': `SELECT id FROM monitor_change WHERE kind <> 'changed'`,
  'a change that is not what is known': `SELECT monitor_id FROM monitor_change AS c JOIN monitor_value AS v USING (monitor_id)
    WHERE c.id = (SELECT max(id) FROM monitor_change WHERE monitor_id = c.monitor_id) AND c.new <> v.known ->> '$.value'`,
  'a change that is not told exactly once': `SELECT c.id FROM monitor_change AS c LEFT JOIN delivery AS d ON d.data ->> '$.change.id' = c.id
    GROUP BY c.id HAVING count(d.id) <> 1`,
  'a notice of no change': `SELECT id FROM delivery WHERE data ->> '$.change.id' NOT IN (SELECT id FROM monitor_change)`,
  'a value without its record': `SELECT monitor.id FROM monitor JOIN monitor_value ON monitor_id = monitor.id LEFT JOIN record USING (dataset_id)
    GROUP BY monitor.id HAVING count(record.id) <> 1 + (SELECT count(*) FROM monitor_change WHERE monitor_id = monitor.id)`,
  'a check of a run that is none': `SELECT run_id FROM monitor_check WHERE run_id NOT IN (SELECT id FROM run WHERE kind = 'monitor')`,
  'a run that succeeded without its check': `SELECT id FROM run WHERE kind = 'monitor' AND status = 'succeeded' AND id NOT IN (SELECT run_id FROM monitor_check)`,
  'a monitor that is due no more': `SELECT id FROM monitor WHERE id NOT IN (SELECT owner_id FROM due WHERE kind = 'monitor')`,
};

type Rows = ReturnType<typeof openRows>;

function checkRows(rows: Rows): void {
  assert.equal(rows.one('PRAGMA integrity_check'), 'ok');
  for (const [what, query] of Object.entries(WRONG)) assert.deepEqual(rows.all(query), [], what);
}

function openRows(home: string) {
  const sql = new DatabaseSync(join(home, 'weft.db'), { readOnly: true, timeout: 5000 });
  // One transaction sees one moment, although the agent works on.
  sql.exec('BEGIN');
  return {
    all: <Row>(query: string) => sql.prepare(query).all() as unknown as Row[],
    one: (query: string) => Object.values(sql.prepare(query).get() ?? {})[0],
    [Symbol.dispose]: () => sql.close(),
  };
}

function changeIdIn(body: string): number {
  return (JSON.parse(body) as { data: { change: { id: number } } }).data.change.id;
}

async function startSite(versions: readonly number[], onRequest: () => void) {
  return await serveOnLoopback(({ url = '/' }, response) => {
    onRequest();
    const version = versions[Number(url.slice(1))];
    if (version === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Page ${url}</title><h1>Page</h1><p class="n">${version}</p>`);
  });
}
