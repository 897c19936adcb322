import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { PageError } from '../../errors.ts';
import type { PageErrorCode } from '../../errors.ts';
import type { Page } from '../../ports.ts';
import { endless, hang, redirect, reply, reset, startRawServer } from '../../../../../tests/sites/raw-server.ts';
import type { RawAnswer, RawServer } from '../../../../../tests/sites/raw-server.ts';
import { createAddressGate } from '../gate/gate.ts';
import { createHttpFetcher } from './fetcher.ts';

const BYTES_MAX = 1_000_000;
const HEADER_BYTES_MAX = 32_768;
const TEXT = 'the quick brown fox jumps over the lazy dog. '.repeat(50);

const encoded = (contentEncoding: string | readonly string[], body: Uint8Array) =>
  reply({ headers: { 'Content-Type': 'text/plain', 'Content-Encoding': contentEncoding }, body });
const bomb = Buffer.alloc(8_000_000);

interface Case {
  readonly name: string;
  readonly answer: RawAnswer;
  /** The error's code, or what is expected of the page. */
  readonly want: PageErrorCode | ((page: Page) => void);
  readonly message?: RegExp;
  readonly timeoutMs?: number;
}

const bodyIs = (text: string) => (page: Page) => assert.equal(new TextDecoder().decode(page.body), text);
const statusIs = (status: number) => (page: Page) => assert.equal(page.status, status);

const CASES: readonly Case[] = [
  { name: 'gzip is undone', answer: encoded('gzip', gzipSync(TEXT)), want: bodyIs(TEXT) },
  { name: 'x-gzip is gzip', answer: encoded('X-GZip', gzipSync(TEXT)), want: bodyIs(TEXT) },
  { name: 'deflate with a zlib header is undone', answer: encoded('deflate', deflateSync(TEXT)), want: bodyIs(TEXT) },
  { name: 'bare deflate is undone', answer: encoded('deflate', deflateRawSync(TEXT)), want: bodyIs(TEXT) },
  { name: 'br is undone', answer: encoded('br', brotliCompressSync(TEXT)), want: bodyIs(TEXT) },
  { name: 'zstd is undone', answer: encoded('zstd', zstdCompressSync(TEXT)), want: bodyIs(TEXT) },
  {
    name: 'stacked encodings are undone from the last to the first',
    answer: encoded('gzip, br', brotliCompressSync(gzipSync(TEXT))),
    want: bodyIs(TEXT),
  },
  { name: 'stacked encodings on two lines', answer: encoded(['gzip', 'zstd'], zstdCompressSync(gzipSync(TEXT))), want: bodyIs(TEXT) },
  { name: 'identity is no encoding', answer: encoded('identity', Buffer.from(TEXT)), want: bodyIs(TEXT) },
  { name: 'F33 an unknown encoding is left as it is', answer: encoded('utf-8', Buffer.from(TEXT)), want: bodyIs(TEXT) },
  { name: 'F33 a name from the object prototype is no encoding', answer: encoded('constructor', Buffer.from(TEXT)), want: bodyIs(TEXT) },
  { name: 'an empty gzip body', answer: encoded('gzip', new Uint8Array()), want: bodyIs('') },
  {
    name: 'F32 a gzip bomb is cut',
    answer: encoded('gzip', gzipSync(bomb)),
    want: 'body_too_large',
    message: /larger than 1,000,000 bytes/,
  },
  { name: 'F32 a double gzip bomb is cut', answer: encoded('gzip, gzip', gzipSync(gzipSync(bomb))), want: 'body_too_large' },
  { name: 'F33 a br bomb is cut', answer: encoded('br', brotliCompressSync(bomb)), want: 'body_too_large' },
  { name: 'F33 a zstd bomb is cut', answer: encoded('zstd', zstdCompressSync(bomb)), want: 'body_too_large' },
  { name: 'F33 a deflate bomb is cut', answer: encoded('deflate', deflateSync(bomb)), want: 'body_too_large' },
  {
    name: 'F33 fifty encodings are refused',
    answer: encoded(Array.from({ length: 50 }, () => 'gzip').join(', '), gzipSync(TEXT)),
    want: 'bad_response',
    message: /50 content encodings; at most 3/,
  },
  { name: 'F33 truncated gzip keeps nothing', answer: encoded('gzip', gzipSync(TEXT).subarray(0, 60)), want: 'truncated' },
  { name: 'F33 truncated br keeps nothing', answer: encoded('br', brotliCompressSync(TEXT).subarray(0, 30)), want: 'truncated' },
  { name: 'F33 truncated zstd keeps nothing', answer: encoded('zstd', zstdCompressSync(TEXT).subarray(0, 30)), want: 'truncated' },
  {
    name: 'F33 garbage behind gzip is passed over',
    answer: encoded('gzip', Buffer.concat([gzipSync(TEXT), Buffer.from('\0\0garbage')])),
    want: bodyIs(TEXT),
  },
  {
    name: 'F33 plain text under a gzip header',
    answer: encoded('gzip', Buffer.from(TEXT)),
    want: 'bad_response',
    message: /not the gzip data/,
  },
  { name: 'F33 plain text under a br header', answer: encoded('br', Buffer.from(TEXT)), want: 'bad_response' },
  { name: 'F33 plain text under a zstd header', answer: encoded('zstd', Buffer.from(TEXT)), want: 'bad_response' },

  {
    name: 'F34 an endless body is cut at the cap',
    answer: endless('HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(65_536, 'x')),
    want: 'body_too_large',
  },
  {
    name: 'F34 an endless chunked body is cut at the cap',
    answer: endless('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '400\r\n' + 'x'.repeat(1024) + '\r\n'),
    want: 'body_too_large',
  },
  {
    name: 'F34 an announced length above the cap is refused unread',
    answer: hang('HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n'),
    want: 'body_too_large',
  },
  {
    name: 'F34 a body that stops is an idle timeout',
    answer: hang('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx'),
    want: 'timeout',
    message: /stood still for 120 ms/,
  },
  { name: 'F34 headers that never come are a timeout', answer: hang(), want: 'timeout', message: /no response headers within 150 ms/ },
  { name: 'F34 half a header block is a timeout', answer: hang('HTTP/1.1 200 OK\r\nX-A: b'), want: 'timeout', timeoutMs: 100 },
  {
    name: 'F34 a reset in the middle of a body',
    answer: reset('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx'),
    want: 'truncated',
    message: /Nothing of it was kept/,
  },
  { name: 'F34 an end before the announced length', answer: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx', want: 'truncated' },
  {
    name: 'F34 a chunked body without its last chunk',
    answer: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
    want: 'truncated',
  },
  { name: 'F34 a reset before any answer', answer: reset(), want: 'connect' },
  { name: 'F34 an end before any answer', answer: '', want: 'connect' },
  { name: 'F34 a body without length ends with the connection', answer: 'HTTP/1.1 200 OK\r\n\r\nhello', want: bodyIs('hello') },
  {
    name: 'F34 a broken chunk size',
    answer: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n',
    want: 'bad_response',
  },

  {
    name: 'F35 a header line beyond the cap',
    answer: endless('HTTP/1.1 200 OK\r\nX-Long: ', 'y'.repeat(16_384)),
    want: 'bad_response',
    message: /headers are larger than 32,768 bytes/,
  },
  { name: 'F35 header lines without end', answer: endless('HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'.repeat(512)), want: 'bad_response' },
  {
    name: 'F35 5,000 Set-Cookie lines',
    answer: reply({ headers: { 'Set-Cookie': Array.from({ length: 5_000 }, (_, i) => `c${i}=1`) } }),
    want: 'bad_response',
  },
  { name: 'F35 status 099', answer: 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n', want: 'bad_response' },
  { name: 'F35 status 999', answer: 'HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok', want: statusIs(999) },
  { name: 'F35 a status without reason', answer: 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok', want: statusIs(200) },
  {
    name: 'F35 a few 1xx before the answer',
    answer: 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(20) + 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    want: 'bad_response',
  },
  {
    name: 'early hints before the answer',
    answer: 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    want: bodyIs('ok'),
  },
  {
    name: 'F35 a flood of 1xx ends with the deadline',
    answer: endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
    want: 'timeout',
    timeoutMs: 100,
  },
  { name: 'F35 204 with a body', answer: 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello', want: statusIs(204) },
  { name: 'no HTTP at all', answer: 'SSH-2.0-OpenSSH_9.6\r\n', want: 'bad_response' },
  {
    name: 'F30 both Content-Length and chunked',
    answer: 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    want: 'truncated',
  },
  {
    name: 'F30 two Content-Lengths that differ',
    answer: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok',
    want: 'truncated',
  },
  {
    name: 'F36 a redirect without end in its own body',
    answer: endless('HTTP/1.1 302 Found\r\nLocation: /fine\r\n\r\n', 'x'.repeat(4_096)),
    want: bodyIs('fine'),
  },
  { name: 'F36 an empty Location', answer: redirect(''), want: statusIs(302) },
];

describe('a server that breaks HTTP', () => {
  let site: RawServer;
  const fetcher = createHttpFetcher({
    gate: createAddressGate({ mode: 'agent' }),
    limits: { connectMs: 500, headersMs: 150, idleMs: 120, totalMs: 5_000, bodyBytesMax: BYTES_MAX, headerBytesMax: HEADER_BYTES_MAX },
  });
  const get = (index: number, timeoutMs?: number) =>
    fetcher.fetch(
      { url: `${site.origin}/${index}`, privateTargets: [`127.0.0.1:${site.port}`], ...(timeoutMs ? { timeoutMs } : {}) },
      AbortSignal.timeout(600_000),
    );

  before(async () => {
    site = await startRawServer(({ path }) => (path === '/fine' ? reply({ body: 'fine' }) : CASES[Number(path.slice(1))]?.answer));
  });
  after(async () => {
    await fetcher.close();
    await site.close();
  });

  // Together, because the phase timers of the HTTP client tick only every half second.
  describe('gives a clean outcome', { concurrency: true }, () => {
    CASES.forEach(({ name, want, message, timeoutMs }, index) =>
      test(name, async () => {
        const outcome = await get(index, timeoutMs).catch((error: unknown) => error);
        if (typeof want === 'function') {
          assert.ok(!(outcome instanceof Error), String(outcome));
          return want(outcome as Page);
        }
        assert.ok(outcome instanceof PageError, `a page with status ${(outcome as Page).status}`);
        assert.equal(outcome.code, want, outcome.message);
        if (message) assert.match(outcome.message, message);
      }),
    );
  });

  test('after all that, the lane still works', async () => {
    const page = await fetcher.fetch(
      { url: `${site.origin}/fine`, privateTargets: [`127.0.0.1:${site.port}`] },
      AbortSignal.timeout(600_000),
    );
    assert.equal(new TextDecoder().decode(page.body), 'fine');
  });

  test('a port where nobody listens is a connect error that may be tried again', async () => {
    const gone = await startRawServer({});
    await gone.close();
    const request = { url: gone.origin, privateTargets: [`127.0.0.1:${gone.port}`] };
    await assert.rejects(fetcher.fetch(request, AbortSignal.timeout(600_000)), { code: 'connect', next: 'retry' });
  });

  test('F30 a second answer behind the first does not answer the next request', async () => {
    const smuggled = reply({ body: 'smuggled' });
    const sly = await startRawServer({
      '/first': (socket) => void socket.write(Buffer.concat([reply({ body: 'first' }), smuggled])),
      '/second': reply({ body: 'second' }),
    });
    const ask = (path: string) =>
      fetcher.fetch({ url: sly.origin + path, privateTargets: [`127.0.0.1:${sly.port}`] }, AbortSignal.timeout(600_000));
    const bodies = [await ask('/first'), await ask('/second')].map((page) => new TextDecoder().decode(page.body));
    await sly.close();
    assert.deepEqual(bodies, ['first', 'second']);
  });
});
