// A crawl that was live when its agent was replaced by a later version.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { MIGRATIONS } from '../../packages/daemon/src/db/migrations.ts';
import { startTestAgent } from '../agent.ts';
import { startSite } from '../sites/crawl-sites.ts';
import { until } from '../until.ts';

/** The last schema whose ledger held every address twice, and hashes that did not know of folders. */
const OLD_SCHEMA = 3;
const PAGES = 200;

test('a crawl that was live before an upgrade goes on after it, no page missing and none twice', async () => {
  using home = scratchHome();
  await using site = await startShelf();
  const options = { url: `${site.origin}/item/0`, crawl_entire_domain: true, sitemap: 'skip', formats: [] } as const;
  const id = await crawlHalf(home.path, options, () => site.requests.length > PAGES / 2);
  const settled = makeOld(join(home.path, 'weft.db'), id);
  assert.ok(settled.length > 20, `${settled.length} addresses settled before the upgrade`);
  const asked = site.requests.length;

  await using agent = await startTestAgent({ home: home.path });
  const headers = { authorization: `Bearer ${agent.token}` };
  const events = await (await fetch(`${agent.baseUrl}/v1/runs/${id}/events`, { headers })).text();
  assert.match(events, /"type":"finished".*"status":"succeeded"/);

  const later = site.requests.slice(asked);
  // Where an address redirects to is known only once it has been asked for.
  const again = later.filter((path) => settled.includes(path) && !later.includes(path.replace('item', 'go')));
  assert.deepEqual(again, [], 'settled addresses are not asked for again');
  const database = new DatabaseSync(join(home.path, 'weft.db'), { readOnly: true });
  const rows = (sql: string) => database.prepare(sql).all() as { url: string; n: number }[];
  assert.equal(rows('SELECT count(*) AS n FROM record')[0]?.n, PAGES);
  assert.deepEqual(rows('SELECT key AS url, count(*) AS n FROM record GROUP BY key HAVING n > 1'), []);
  assert.deepEqual(rows('SELECT url, count(*) AS n FROM crawl_url GROUP BY url HAVING n > 1'), []);
  assert.deepEqual(rows(`SELECT url FROM crawl_url WHERE state = 'pending' OR alias_of IS NOT NULL`), []);
  database.close();

  const [backup = ''] = readdirSync(join(home.path, 'backups'));
  const copy = new DatabaseSync(join(home.path, 'backups', backup), { readOnly: true });
  assert.equal(copy.prepare('PRAGMA user_version').get()?.['user_version'], OLD_SCHEMA);
  assert.equal(copy.prepare('SELECT count(*) AS n FROM crawl_url WHERE state <> ?').get('pending')?.['n'], settled.length);
  copy.close();
});

interface OldRow {
  readonly url: string;
  readonly state: string;
}

/** Pages that link to neighbours and far ahead, some of them under a second address that redirects, or that names the first as its own. */
async function startShelf() {
  const site = await startSite((path) => {
    const [, kind, number] = /^\/(item|print|go)\/(\d+)$/.exec(path) ?? [];
    const n = Number(number);
    if (kind === undefined || n >= PAGES) return undefined;
    if (kind === 'go') return { status: 302, headers: { location: `/item/${n}` } };
    const links = [2 * n + 1, 2 * n + 2, n - 1, n + 1].flatMap((to) => [`/item/${to}`, `/print/${to + 5}`, `/go/${to + 9}`]);
    const anchors = links.map((href) => `<a href="${href}">to ${href}</a>`).join(' ');
    const text = `What page ${n} says is said on no other page, ${n * 7919} times over, and this is enough of it.`;
    return `<title>Page ${n}</title><link rel=canonical href="/item/${n}"><h1>Page ${n}</h1><p>${text}</p>${anchors}`;
  });
  return { ...site, [Symbol.asyncDispose]: () => site.close() };
}

/** Crawls until `isHalf`, then stops the agent as an upgrade does; the crawl's id. */
async function crawlHalf(home: string, options: object, isHalf: () => boolean): Promise<number> {
  await using agent = await startTestAgent({ home });
  const headers = { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' };
  const response = await fetch(`${agent.baseUrl}/v1/crawl`, { method: 'POST', headers, body: JSON.stringify(options) });
  const { id } = (await response.json()) as { id: number };
  await until(isHalf);
  return id;
}

/** Turns the ledger at `path` into that of the old schema, rows and hashes; paths of what is settled in it. */
function makeOld(path: string, runId: number): readonly string[] {
  using model = new DatabaseSync(':memory:');
  for (const step of MIGRATIONS.slice(0, OLD_SCHEMA)) model.exec(step);
  const schema = model.prepare(`SELECT sql FROM sqlite_schema WHERE tbl_name = 'crawl_url' AND sql IS NOT NULL`).all();
  using database = new DatabaseSync(path);
  database.function('old_hash', (text) => hash('sha256', String(text), 'buffer').subarray(0, 16));
  const tablesOf = (sql: DatabaseSync) =>
    sql
      .prepare(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'`)
      .all()
      .map(({ name }) => String(name));
  const later = tablesOf(database).filter((name) => !tablesOf(model).includes(name));
  const columnsOf = (sql: DatabaseSync, table: string) =>
    sql
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name));
  const laterColumns = tablesOf(model)
    .filter((table) => table !== 'crawl_url')
    .flatMap((table) =>
      columnsOf(database, table)
        .filter((name) => !columnsOf(model, table).includes(name))
        .map((name) => ({ table, name })),
    );
  const indicesOf = (sql: DatabaseSync) =>
    sql
      .prepare(`SELECT name, tbl_name AS "table" FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`)
      .all()
      .map(({ name, table }) => ({ name: String(name), table: String(table) }));
  const known = new Set(indicesOf(model).map(({ name }) => name));
  const indices = indicesOf(database).filter(({ name, table }) => table === 'crawl_url' || !known.has(name));
  const triggersOf = (sql: DatabaseSync) => sql.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`).all();
  // A view of a table that is dropped before it stops every statement that follows.
  const views = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'view'`).all();
  database.exec(`
    ${views.map(({ name }) => `DROP VIEW ${String(name)};`).join('\n')}
    ${triggersOf(database)
      .map(({ name }) => `DROP TRIGGER ${String(name)};`)
      .join('\n')}
    ${indices.map(({ name }) => `DROP INDEX ${name};`).join('\n')}
    ALTER TABLE crawl_url RENAME TO new_url;
    ${schema.map(({ sql }) => `${String(sql)};`).join('\n')}
    INSERT INTO crawl_url (id, run_id, identity_hash, key_hash, url, key, host, is_twin, depth, source, parent, state, reason, rule, status,
        final_url, final_hash, content_hash, alias_of, ignores_canonical)
      SELECT id, run_id, old_hash(url), old_hash(ifnull(key, url)), url, ifnull(key, url), host, is_twin, depth, source, parent, state, reason, rule, status,
        iif(state = 'fetched', ifnull(final_url, url), NULL), iif(state = 'fetched', old_hash(ifnull(final_url, url)), NULL), content_hash,
        iif(alias_of IS NULL, NULL, old_hash(rule)), ignores_canonical FROM new_url;
    DROP TABLE new_url;
    ${later.map((name) => `DROP TABLE ${name};`).join('\n')}
    ${laterColumns.map(({ table, name }) => `ALTER TABLE ${table} DROP COLUMN ${name};`).join('\n')}
    ${triggersOf(model)
      .map(({ sql }) => `${String(sql)};`)
      .join('\n')}
    PRAGMA user_version = ${OLD_SCHEMA};
  `);
  const rows = database.prepare(`SELECT url, state FROM crawl_url WHERE run_id = ?`).all(runId) as unknown as OldRow[];
  return rows.filter(({ state }) => state !== 'pending').map(({ url }) => new URL(url).pathname);
}

function scratchHome() {
  const path = mkdtempSync(join(tmpdir(), 'weft-upgrade-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
