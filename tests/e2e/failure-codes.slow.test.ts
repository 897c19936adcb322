// What goes wrong with a host has a name of its own, over HTTP and on the command line.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { startTestAgent } from '../agent.ts';
import { createAuthority, issueCertificate } from '../sites/certificates.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import { CHILD_ENV } from '../child-env.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');

/** A port where nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

suite('the failure of a host', () => {
  test('is told under its own code, by crawls, pages, maps and extractions alike, and by weft', async () => {
    await using agent = await startTestAgent();
    const refusing = await startRawServer(() => reply({ status: '429 Too Many Requests', headers: { 'Retry-After': '3600' } }));
    const unknown = await startRawServer(() => undefined, issueCertificate(createAuthority(), '127.0.0.1', 30));
    try {
      for (const [url, code, exits] of [
        [`${refusing.origin}/`, 'rate_limited', 6],
        ['http://no-such-host.invalid/', 'dns', 11],
        [`${unknown.origin}/`, 'tls', 13],
        [`http://127.0.0.1:${await closedPort()}/`, 'connect', 12],
      ] as const) {
        const { client } = agent;
        const runs = [await client.crawl.start({ url, limit: 1, wait: true }), await client.crawl.start({ url, limit: 5, wait: true })];
        const others = [await client.map.run({ url }), await client.extract.run({ url, css: 'h1' })];
        assert.deepEqual(
          [...runs, ...others].map(({ failure }) => failure?.code),
          Array(4).fill(code),
          url,
        );
        for (const { id } of runs) assert.equal((await client.runs.read({ id })).failure?.code, code);
        for (const command of [['scrape'], ['crawl', '--wait']]) {
          const { exit, err } = await weft(agent, [...command, url]);
          assert.deepEqual([exit, new RegExp(`^Cause: ${code}$`, 'm').test(err)], [exits, true], `${command[0]} ${url}: ${err}`);
        }
      }
    } finally {
      await Promise.all([refusing.close(), unknown.close()]);
    }
  });
});

async function weft(agent: { readonly baseUrl: string; readonly token: string; readonly home: string }, args: readonly string[]) {
  const env = { ...CHILD_ENV, SERVICE_API_URL: agent.baseUrl, SERVICE_TOKEN: agent.token, SERVICE_HOME: agent.home };
  const child = spawn(process.execPath, [WEFT, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [err, [exit]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number | null]>]);
  return { exit, err };
}
