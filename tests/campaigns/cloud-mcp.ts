// The protocol's own conformance suite, both revisions, behind a proxy that adds the key: before the cloud's /mcp, where what fails may be only
// what asks for tools, prompts and resources of the suite's own that no cloud has; and before those, on the same adapter. Checks are counted.
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
import { newToken } from '@weft/serve';
import { startTestCloud } from '../cloud.ts';
import { startMcpFixtures } from '../mcp-fixtures.ts';

export const needs = "the protocol's conformance suite of npm, which it brings the first time";

const TOOLS = join(process.env['WEFT_APPS_HOME'] ?? join(homedir(), '.cache', 'weft-apps'), 'cloud-tools', 'mcp');
const REVISIONS = ['2026-07-28', '2025-11-25'] as const;
/** Scenarios that call what only a server made for the suite has: tools named test_..., prompts, resources, completions. */
const OWN_FIXTURES =
  /tools-call-|tools-name-|prompts-|resources-|completion-|elicitation|sampling|logging|json-schema|input-required|sse-|server-stateless|subscri|caching|progress|tasks-|http-custom-header/;

/** What the library of the protocol has no answer for where nothing is kept between requests, or what is an extension that nobody here offers. */
const NOT_HERE = /^(tasks-|http-custom-header|elicitation-sep|tools-call-(sampling|elicitation)$|resources-(un)?subscribe$)/;

interface Check {
  readonly id: string;
  readonly status: string;
}

interface Scenario {
  readonly name: string;
  readonly checks: readonly Check[];
}

/** A server that the suite tries. */
interface Tried {
  readonly baseUrl: string;
  readonly token: string;
  /** Before each request: the suite asks more often than a key may. */
  relax(): Promise<unknown>;
}

export async function campaign({ log }: CampaignOptions): Promise<void> {
  const command = bringSuite();
  await using cloud = await startTestCloud();
  const database = await openDatabase(cloud.database.url);
  const fixtures = await startMcpFixtures(newToken('wt'));
  try {
    const ports = { database, keys: createAccountKeys(database), credits: createCredits(database) };
    const { token: owner } = await openAccount('campaign', 1000, ports);
    const { body: key } = await cloud.call('POST', '/api/account/keys', { token: owner }, { name: 'model' });
    const relax = () => database.rows('DELETE FROM rate_bucket');
    for (const revision of REVISIONS) {
      const ofCloud = await run(command, revision, { baseUrl: cloud.baseUrl, token: key.token, relax });
      log(`${revision}, the cloud: ${counted(ofCloud)}`);
      assert.deepEqual(failuresOf(ofCloud, OWN_FIXTURES), []);
      const ofFixtures = await run(command, revision, { ...fixtures, relax: async () => undefined });
      log(`${revision}, fixtures on its adapter: ${counted(ofFixtures)}`);
      assert.deepEqual(failuresOf(ofFixtures, NOT_HERE), []);
    }
    assert.deepEqual([cloud.logged, fixtures.failed], [[], []]);
  } finally {
    await fixtures.close();
    await database.close();
  }
}

/** Its command; it is installed the first time. */
function bringSuite(): string {
  mkdirSync(TOOLS, { recursive: true });
  const command = join(TOOLS, 'node_modules', '.bin', 'conformance');
  const install = `npm install --prefix ${TOOLS} --no-audit --no-fund --ignore-scripts @modelcontextprotocol/conformance@0.2.0-alpha.12`;
  execFileSync('sh', ['-c', `test -e ${command} || ${install}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  return command;
}

async function run(command: string, revision: string, tried: Tried): Promise<readonly Scenario[]> {
  const out = mkdtempSync(join(tmpdir(), 'weft-mcp-'));
  const proxy = await startKeyProxy(tried);
  try {
    const args = [command, 'server', '--url', `${proxy.url}/mcp`, '--requirements', revision, '-o', out];
    await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit');
    const all = readdirSync(out).map((name) => ({ name: short(name), checks: checksOf(join(out, name)) }));
    assert.ok(
      all.some(({ checks }) => checks.some(({ status }) => status === 'SUCCESS')),
      'no check was counted',
    );
    return all;
  } finally {
    proxy.close();
    rmSync(out, { recursive: true });
  }
}

/** The suite can't send a header of ours. */
async function startKeyProxy({ baseUrl, token, relax }: Tried): Promise<{ readonly url: string; close(): void }> {
  const target = new URL(baseUrl);
  const proxy = createServer((incoming, outgoing) => {
    const own = (text: string | undefined) => text?.replace(host(), target.host);
    const { host: asked, origin } = incoming.headers;
    const headers = {
      ...incoming.headers,
      host: own(asked),
      ...(origin === undefined ? {} : { origin: own(origin) }),
      authorization: `Bearer ${token}`,
    };
    incoming.pause();
    const onward = ask({ host: target.hostname, port: target.port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    void relax().then(() => incoming.pipe(onward));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const host = () => `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: `http://${host()}`,
    close() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

function counted(scenarios: readonly Scenario[]): string {
  const all = scenarios.flatMap(({ checks }) => checks);
  const countOf = (status: string) => all.filter((check) => check.status === status).length;
  const failing = scenarios.filter(({ checks }) => checks.some(({ status }) => status === 'FAILURE')).map(({ name }) => name);
  return `${scenarios.length} scenarios, ${all.length} checks, ${countOf('SUCCESS')} passed, ${countOf('FAILURE')} failed; failing: ${failing.join(' ')}`;
}

/** Failed checks of scenarios that are not `excused`. */
function failuresOf(scenarios: readonly Scenario[], excused: RegExp): readonly string[] {
  return scenarios
    .filter(({ name }) => !excused.test(name))
    .flatMap(({ name, checks }) => checks.flatMap(({ id, status }) => (status === 'FAILURE' ? [`${name}: ${id}`] : [])));
}

function checksOf(folder: string): readonly Check[] {
  return JSON.parse(readFileSync(join(folder, 'checks.json'), 'utf8')) as readonly Check[];
}

/** Without the time that the suite adds. */
function short(name: string): string {
  return name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
}
