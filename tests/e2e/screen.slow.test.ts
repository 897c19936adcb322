// What a person sees: recordings through a pseudo terminal (util-linux `script`) of several widths, and without a terminal.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import type { LoopbackServer } from '../sites/on-loopback.ts';
import { CHILD_ENV } from '../child-env.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const hasScript = spawnSync('script', ['--version']).status === 0;
const PAGES = 12;
/** How `createStatusLine` begins a line anew. */
const ANEW = '\r\u001B[K';

suite('what is seen on a screen', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let site: LoopbackServer;
  /** Requests for the page that never comes, for whoever waits for one. */
  let asked: PromiseWithResolvers<void>;
  before(async () => {
    agent = await startTestAgent();
    asked = Promise.withResolvers<void>();
    site = await serveOnLoopback((request, response) => {
      if (request.url === '/never') return asked.resolve();
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      const links = Array.from(
        { length: PAGES },
        (_, n) => `<a href="/${n}">page ${n}</a> <a href="https://elsewhere${n}.test/">elsewhere</a>`,
      );
      const words = `Page ${request.url} says something that no other page of this site says, in a sentence.`;
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<title>${request.url}</title><main><p>${words}</p>${links.join('')}</main>`);
    });
  });
  after(async () => {
    await agent[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  function start(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const env = {
      ...CHILD_ENV,
      HOME: agent.home,
      TERM: 'xterm-256color',
      SERVICE_HOME: agent.home,
      SERVICE_API_URL: agent.baseUrl,
      SERVICE_TOKEN: agent.token,
      ...more,
    };
    return spawn(command, args, { env, cwd: agent.home, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Everything that a terminal of so many columns is sent. */
  async function recorded(columns: number, line: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const typed = `stty cols ${columns}; "${process.execPath}" "${WEFT}" ${line}`;
    return await text(start('script', ['-qec', typed, '/dev/null'], more).stdout);
  }

  /** Where a line began anew, what was written over it. */
  const statusLines = (seen: string) => seen.split(ANEW).slice(1, -1);

  for (const columns of [40, 80, 200])
    test(`at ${columns} columns a crawl has one line that fits and is gone at the end`, { skip: !hasScript }, async () => {
      const seen = await recorded(columns, `crawl ${site.url} --limit 8 --delay 150`);
      const lines = statusLines(seen);
      assert.ok(lines.length > 0, seen);
      for (const line of lines) {
        assert.match(line, /^weft: \d+ fetched/);
        assert.ok(line.length < columns && !line.includes('\n'), line);
      }
      assert.match(seen.split(ANEW).at(-1) ?? '', /^crawl +\d+ \(succeeded\)\r\n/, 'nothing of it is left');
      assert.match(seen, /elsewhere +12 links to other sites/);
    });

  test('a failure is red on a terminal, but not for whoever says NO_COLOR', { skip: !hasScript }, async () => {
    assert.match(await recorded(80, 'crawl show 999'), /^\u001B\[31mweft:\u001B\[0m There is no /);
    assert.match(await recorded(80, 'crawl show 999', { NO_COLOR: '1' }), /^weft: There is no /);
    const seen = await recorded(80, `crawl ${site.url} --limit 4 --delay 150`, { NO_COLOR: '1' });
    assert.equal(seen.replaceAll(ANEW, '').includes('\u001B'), false, seen);
  });

  test('without a terminal progress is lines, and nothing escapes', async () => {
    const child = start(process.execPath, [WEFT, 'crawl', site.url, '--limit', '4', '--delay', '150']);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.match(err, /^weft: crawl \d+ of \S+\nweft: \d+ fetched, \d+ queued/);
    assert.match(out, /^crawl +\d+ \(succeeded\)\n/);
    assert.doesNotMatch(out + err, /[\u001B\r]/);
  });

  test('--quiet says nothing, --verbose each call, and what failed is said all the same', async () => {
    const saidBy = async (...args: string[]) => await text(start(process.execPath, [WEFT, ...args]).stderr);
    assert.equal(await saidBy('crawl', site.url, '--limit', '2', '--quiet'), '');
    assert.match(await saidBy('crawl', site.url, '--limit', '2', '--verbose'), /weft: POST \/v1\/crawl 202 in \d+ ms\n/);
    assert.match(
      await saidBy('scrape', `${site.url}0`, 'http://127.0.0.1:1/', '--quiet'),
      /^weft: http:\/\/127\.0\.0\.1:1\/ [^]*\nCause: address\n/,
    );
  });

  for (const [what, args, code] of [
    ['Ctrl-C', [], 130],
    ['--timeout', ['--timeout', '1'], 124],
  ] as const)
    test(`${what} ends the scrape that was begun, and says so`, async () => {
      asked = Promise.withResolvers<void>();
      const child = start(process.execPath, [WEFT, 'scrape', `${site.url}never`, ...args]);
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const said = text(child.stderr);
      await asked.promise;
      if (what === 'Ctrl-C') child.kill('SIGINT');
      assert.equal(await ended, code);
      assert.match(await said, /scrape (?:of \S+ )?was ended/);
      const { data } = await agent.client.crawl.list({ limit: 1 });
      assert.equal(data[0]?.status, 'cancelled');
    });
});
