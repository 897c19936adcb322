// The cloud's /mcp before the protocol's own conformance suite, both revisions, behind a proxy that adds the key: its checks are counted, and
// what fails may be only what asks for tools, prompts and resources of the suite's own that no cloud has.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { openAccount } from '../../packages/cloud/src/accounts/account.ts';
import { createAccountKeys } from '../../packages/cloud/src/accounts/key.ts';
import { createCredits } from '../../packages/cloud/src/credits/credits.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { startTestCloud } from '../cloud.ts';

export const needs = "the protocol's conformance suite of npm, which it brings the first time";

const TOOLS = join(process.env['WEFT_APPS_HOME'] ?? join(homedir(), '.cache', 'weft-apps'), 'cloud-tools', 'mcp');
const REVISIONS = ['2026-07-28', '2025-11-25'] as const;
/** Scenarios that call what only a server made for the suite has: tools named test_..., prompts, resources, completions. */
const OWN_FIXTURES =
  /tools-call-|tools-name-|prompts-|resources-|completion-|elicitation|sampling|logging|json-schema|input-required|sse-|server-stateless|subscri|caching|progress|tasks-|http-custom-header/;

interface Check {
  readonly id: string;
  readonly status: string;
}

export async function campaign({ log }: CampaignOptions): Promise<void> {
  mkdirSync(TOOLS, { recursive: true });
  const command = join(TOOLS, 'node_modules', '.bin', 'conformance');
  execFileSync(
    'sh',
    [
      '-c',
      `test -e ${command} || npm install --prefix ${TOOLS} --no-audit --no-fund --ignore-scripts @modelcontextprotocol/conformance@0.2.0-alpha.12`,
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  await using cloud = await startTestCloud();
  const database = await openDatabase(cloud.database.url);
  const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
  const { token: owner } = await openAccount('campaign', 1000, ports);
  const { body: key } = await cloud.call('POST', '/api/account/keys', { token: owner }, { name: 'model' });
  const target = new URL(cloud.baseUrl);
  const proxy = createServer((incoming, outgoing) => {
    const own = (text: string | undefined) => text?.replace(proxyHost(), target.host);
    const { host, origin } = incoming.headers;
    const headers = {
      ...incoming.headers,
      host: own(host),
      ...(origin === undefined ? {} : { origin: own(origin) }),
      authorization: `Bearer ${key.token}`,
    };
    incoming.pause();
    const onward = ask({ host: target.hostname, port: target.port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    // The suite asks more often than a key may.
    void database.rows('DELETE FROM rate_bucket').then(() => incoming.pipe(onward));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const proxyHost = () => `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const out = mkdtempSync(join(tmpdir(), 'weft-mcp-'));
  try {
    for (const revision of REVISIONS) {
      const folder = join(out, revision);
      const suite = spawn(
        process.execPath,
        [command, 'server', '--url', `http://${proxyHost()}/mcp`, '--requirements', revision, '-o', folder],
        { stdio: 'ignore' },
      );
      await once(suite, 'exit');
      const scenarios = readdirSync(folder).map((name) => ({ name, checks: checksOf(join(folder, name)) }));
      const all = scenarios.flatMap(({ checks }) => checks);
      const passed = all.filter(({ status }) => status === 'SUCCESS').length;
      const failing = scenarios.filter(({ checks }) => checks.some(({ status }) => status === 'FAILURE'));
      const ours = failing.filter(({ name }) => !OWN_FIXTURES.test(name));
      log(
        `${revision}: ${scenarios.length} scenarios, ${all.length} checks, ${passed} passed; ${failing.length} scenarios ask for fixtures: ${failing.map(({ name }) => short(name)).join(' ')}`,
      );
      const failures = ours.flatMap(({ name, checks }) =>
        checks.flatMap((check) => (check.status === 'FAILURE' ? [`${short(name)}: ${check.id}`] : [])),
      );
      assert.deepEqual(failures, []);
      assert.ok(passed > 0, 'no check was counted');
    }
    assert.deepEqual(cloud.logged, []);
  } finally {
    await database.close();
    proxy.closeAllConnections();
    proxy.close();
    rmSync(out, { recursive: true });
  }
}

function checksOf(folder: string): readonly Check[] {
  return JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8')) as readonly Check[];
}

/** Without the time that the suite adds. */
function short(name: string): string {
  return name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
}
