// A process of the cloud as those see it who run it: its role, its metrics, its probes, and the trace of a crawl.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { createAddressGate } from '@weft/engine/io';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import { openDatabase } from '../../packages/cloud/src/db/database.ts';
import { startTestCloud, testDatabase } from '../cloud.ts';
import { createAuthority, issueCertificate } from '../sites/certificates.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import { until } from '../until.ts';

interface Span {
  readonly traceId: string;
  readonly name: string;
}

test('one process answers, another works; both are watched, and what a call leads to is one trace', { timeout: 600_000 }, async () => {
  const spans: Span[] = [];
  const collector = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        const body = JSON.parse(Buffer.concat(parts).toString()) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
        spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
        response.end('{}');
      });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` };
  const site = await startGeneratedSite(3);
  const authority = createAuthority();
  const receiver = await startRawServer(() => reply({ body: 'thanks' }), issueCertificate(authority, 'localhost', 30));
  const hook = `https://localhost:${receiver.port}/hook`;
  const database = await testDatabase();
  const gate = createAddressGate({ mode: 'public', privateTargets: [new URL(site.start).host, new URL(hook).host] });
  const fetcher = createHttpFetcher({ gate, trustedCertificates: [authority.pem] });
  const options = { database, env, fetcher };
  const api = await startTestCloud({ ...options, args: ['--role', 'api', '--drain-seconds', '1', '--public-url', 'https://cloud.test'] });
  const worker = await startTestCloud({ ...options, args: ['--role', 'worker', '--internal', '127.0.0.1:0'] });
  const rows = await openDatabase(database.url);
  const watched = async (path: string) => await fetch(`http://127.0.0.1:${worker.internalPort}${path}`);
  try {
    assert.deepEqual([worker.baseUrl, worker.firstKey], ['', undefined]);
    assert.equal((await api.call('POST', '/api/account/webhooks', api.owner, { url: hook, events: ['crawl.*'] })).status, 201);
    const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
    const started = await api.call('POST', '/api/crawl', api.owner, { url: site.start, lane: 'http' }, { traceparent });
    await until(async () => (await rows.rows(`SELECT 1 FROM crawl WHERE status = 'succeeded'`)).length > 0);
    await until(() => receiver.requests.length > 0);
    assert.match(receiver.requests[0]?.head ?? '', new RegExp(`^traceparent: 00-${'ab'.repeat(16)}-(?!(?:cd){8})[0-9a-f]{16}-01\r$`, 'im'));
    assert.equal(started.status, 202);
    const metrics = await (await watched('/metrics')).text();
    assert.match(metrics, /^weft_page_requests_total\{lane="http"\} [1-9]/m);
    assert.match(metrics, /^weft_crawl_jobs\{state="waiting"\} 0$/m);
    assert.doesNotMatch(metrics, /acct_|\/site\//);
    assert.equal((await watched('/readyz')).status, 200);
    assert.equal((await watched('/api/account/jobs')).status, 404);
    assert.equal((await api.call('GET', '/openapi.json')).body.servers[0].url, 'https://cloud.test');
    const stopping = api.stop();
    const draining = await api.call('GET', '/readyz');
    assert.deepEqual([draining.status, draining.body.status], [503, 'stopping']);
    await stopping;
    await worker.stop();
    const names = spans.filter(({ traceId }) => traceId === 'ab'.repeat(16)).map(({ name }) => name);
    for (const name of ['crawls.start', 'crawl turn', 'page', 'crawl end', 'webhook']) assert.ok(names.includes(name), names.join(' '));
  } finally {
    await api[Symbol.asyncDispose]();
    await worker[Symbol.asyncDispose]();
    await rows.close();
    await database[Symbol.asyncDispose]();
    await site.close();
    await receiver.close();
    collector.closeAllConnections();
    collector.close();
  }
});

test('with certificates it speaks TLS, and nothing else', { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-tls-'));
  const authority = createAuthority();
  const { cert, key } = issueCertificate(authority, 'localhost', 30);
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const cloud = await startTestCloud({ args: ['--tls-cert', files.cert, '--tls-key', files.key] });
  try {
    const { protocol, port, host } = new URL(cloud.baseUrl);
    assert.equal(protocol, 'https:');
    const asked = request({
      port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca: authority.pem,
      path: '/api/account',
      headers: { host, authorization: `Bearer ${'token' in cloud.owner ? cloud.owner.token : ''}` },
    }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const account = (await json(answer)) as { id: string };
    assert.deepEqual([answer.statusCode, account.id.slice(0, 5)], [200, 'acct_']);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/livez`));
  } finally {
    await cloud[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  }
});
