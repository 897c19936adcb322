// Requests whose answer counts by its status: of the body an excerpt is kept, and nothing that happens to it is an error.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { serveOnLoopback } from '../../../../../tests/sites/on-loopback.ts';
import { createAddressGate } from '../gate/gate.ts';
import { createHttpFetcher } from './fetcher.ts';

const EXCERPT = 1_000;

async function excerptOf(listener: RequestListener, timeoutMs = 10_000): Promise<readonly [status: number, body: string]> {
  await using server = await serveOnLoopback(listener);
  const privateTargets = [new URL(server.origin).host];
  const fetcher = createHttpFetcher({ gate: createAddressGate({ mode: 'agent' }) });
  try {
    const request = { url: server.url, method: 'POST', excerptBytes: EXCERPT, privateTargets, timeoutMs } as const;
    const page = await fetcher.fetch(request, AbortSignal.timeout(600_000));
    return [page.status, new TextDecoder().decode(page.body)];
  } finally {
    await fetcher.close();
  }
}

suite('an excerpt', () => {
  test('of a short body is the whole of it', async () => {
    assert.deepEqual(await excerptOf((_request, response) => void response.end('thanks')), [200, 'thanks']);
  });

  test('of a long body is its beginning, whatever the status', async () => {
    for (const status of [200, 500])
      assert.deepEqual(await excerptOf((_request, response) => void response.writeHead(status).end('x'.repeat(5_000_000))), [
        status,
        'x'.repeat(EXCERPT),
      ]);
  });

  test('of a body that breaks off is what came, or nothing', async () => {
    const [status, body] = await excerptOf((_request, response) => {
      response.writeHead(503, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    assert.equal(status, 503);
    assert.match(body, /^(half)?$/);
  });

  test('of a body that stands still is what came by the end of the time', async () => {
    const stall: RequestListener = (_request, response) => void response.writeHead(200).write('so far');
    assert.deepEqual(await excerptOf(stall, 300), [200, 'so far']);
  });

  test('of a compressed body is text where all of it came, and nothing else', async () => {
    const compressed = (text: string): RequestListener => {
      return (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
    };
    assert.deepEqual(await excerptOf(compressed('thanks')), [200, 'thanks']);
    assert.deepEqual(await excerptOf(compressed('x'.repeat(5_000_000))), [200, '']);
  });

  test('is not had of an answer whose head never came', async () => {
    await assert.rejects(
      excerptOf(() => undefined, 300),
      /not finished within 300 ms/,
    );
  });
});
