// How an agent ends while it works, seen from outside its process (F9).
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { Run } from '@weft/contract';
import type { Program } from './program.ts';
import { startProgram } from './program.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';

const FINISHED = /"type":"finished"/g;

suite('F9 SIGTERM', { timeout: 600_000 }, () => {
  test('in the middle of runs ends their streams and exits 0; the next start brings both to one end', async () => {
    await using site = await startSite();
    await using home = scratchHome();
    const ids = await stopAmidRuns(home.path, site);
    site.answer();
    await using program = await startProgram({ home: home.path });
    const token = await program.ready();
    for (const id of ids) {
      const events = await (await get(program, token, `/v1/runs/${id}/events`)).text();
      assert.equal(events.match(FINISHED)?.length, 1, events);
      const run = (await (await get(program, token, `/v1/runs/${id}`)).json()) as Run;
      assert.deepEqual([run.status, run.rows_extracted], ['succeeded', 1]);
    }
  });

  test('exits 0 although a caller sends nothing more and another reads nothing', async () => {
    await using site = await startSite();
    await using program = await startProgram();
    const token = await program.ready();
    const { id } = await startCrawl(program, token, { url: site.url });
    const silent = await openSocket(program, `POST /v1/keys HTTP/1.1\r\n${headersOf(program, token)}Content-Length: 50\r\n\r\n{`);
    const deaf = await openSocket(program, `GET /v1/runs/${id}/events HTTP/1.1\r\n${headersOf(program, token)}\r\n`);
    deaf.pause();
    program.process.kill('SIGTERM');
    assert.equal((await program.exit).code, 0);
    for (const socket of [silent, deaf]) socket.destroy();
  });

  test('a second time ends the agent at once, with the exit code of a failure', async () => {
    await using site = await startSite();
    await using program = await startProgram();
    const token = await program.ready();
    const { id } = await startCrawl(program, token, { url: site.url });
    // Keeps the first signal's shutdown waiting.
    const silent = await openSocket(program, `POST /v1/keys HTTP/1.1\r\n${headersOf(program, token)}Content-Length: 50\r\n\r\n{`);
    const stream = (await get(program, token, `/v1/runs/${id}/events`)).text();
    program.process.kill('SIGTERM');
    assert.doesNotMatch(await stream, FINISHED);
    // What comes right after the first is the same asking, passed on by somebody else.
    const asking = setInterval(() => program.process.kill('SIGTERM'), 100);
    assert.equal((await program.exit).code, 1);
    clearInterval(asking);
    silent.destroy();
  });
});

/** Ids of a run of one page and of a crawl that were live when the agent was told to stop. */
async function stopAmidRuns(home: string, site: Site): Promise<readonly number[]> {
  await using program = await startProgram({ home });
  const token = await program.ready();
  const page = await startCrawl(program, token, { url: `${site.url}page`, limit: 1 });
  const crawl = await startCrawl(program, token, { url: `${site.url}site`, limit: 5 });
  const streams = await Promise.all([page, crawl].map(({ id }) => get(program, token, `/v1/runs/${id}/events`)));
  await site.isAsked;
  program.process.kill('SIGTERM');
  for (const stream of streams) assert.doesNotMatch(await stream.text(), FINISHED);
  assert.deepEqual(await program.exit.then(({ code }) => code), 0);
  assert.ok(!existsSync(join(home, 'runtime.json')));
  return [page.id, crawl.id];
}

async function startCrawl(program: Program, token: string, options: object): Promise<Run> {
  const response = await fetch(`${program.baseUrl}/v1/crawl`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sitemap: 'skip', lane: 'http', ...options }),
  });
  assert.equal(response.status, 202);
  return (await response.json()) as Run;
}

function get(program: Program, token: string, path: string): Promise<Response> {
  return fetch(`${program.baseUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
}

function headersOf(program: Program, token: string): string {
  return `Host: 127.0.0.1:${program.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
}

/** A connection on which `text` was sent. */
async function openSocket(program: Program, text: string) {
  const socket = connect({ host: '127.0.0.1', port: program.port }).on('error', () => undefined);
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}

interface Site extends AsyncDisposable {
  readonly url: string;
  /** Settled once a page was asked for. */
  readonly isAsked: Promise<void>;
  /** From now on pages are answered; before, they never are. */
  answer(): void;
}

async function startSite(): Promise<Site> {
  let isAnswering = false;
  const asked = Promise.withResolvers<void>();
  const site = await serveOnLoopback((request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    asked.resolve();
    if (isAnswering) response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Page</title><p>A page of a few plain words.');
    return undefined;
  });
  return { ...site, isAsked: asked.promise, answer: () => void (isAnswering = true) };
}

function scratchHome(): AsyncDisposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'weft-shutdown-'));
  return { path, [Symbol.asyncDispose]: async () => rmSync(path, { recursive: true, force: true }) };
}
