// The command line as its user meets it: real processes, a real agent, real pages on loopback.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { freePorts } from '../conformance/program.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Machine {
  readonly home: string;
  readonly port: number;
  run(...args: string[]): Promise<Outcome>;
  runWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome>;
}

async function makeMachine(): Promise<Machine> {
  // A blank and a letter beyond ASCII: paths are data.
  const home = join(mkdtempSync(join(tmpdir(), 'weft cli ')), 'hömе');
  const port = await freePorts();
  const runWith = async (env: Readonly<Record<string, string>>, ...args: string[]) => {
    const child = spawn(process.execPath, [WEFT, ...args], {
      env: { ...process.env, HOME: home, SERVICE_HOME: home, SERVICE_PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('exit', resolve)),
    ]);
    return { code, out, err };
  };
  return { home, port, runWith, run: (...args) => runWith({}, ...args) };
}

/** Pages that a scrape meets, by path. */
const PAGES: Readonly<
  Record<string, { readonly status?: number; readonly headers: Readonly<Record<string, string>>; readonly body: () => Buffer }>
> = {
  '/plain': {
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: () => page('<h1>Plain</h1><p>A page of plain words, long enough to be one.'),
  },
  '/shift_jis': {
    headers: { 'content-type': 'text/html; charset=Shift_JIS' },
    // 日本語 and テスト in Shift_JIS.
    body: () =>
      Buffer.concat([
        Buffer.from('<title>x</title><p>'),
        Buffer.from('93fa967b8cea', 'hex'),
        Buffer.from(' '),
        Buffer.from('836583588367', 'hex'),
        Buffer.from('</p>'),
      ]),
  },
  '/windows-1251': {
    headers: { 'content-type': 'text/html' },
    body: () =>
      Buffer.concat([
        Buffer.from('<html><body><p>'),
        cyrillic('Съешь же ещё этих мягких французских булок, да выпей чаю. Это обычная страница на русском языке.'),
        Buffer.from('</p></body></html>'),
      ]),
  },
  '/shelf': {
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: () =>
      page(
        `<h1>Shelf</h1><ul>${['Lamp', 'Chair', 'Table'].map((name, i) => `<li><a href="/${name.toLowerCase()}">${name}</a> <b>$${i + 5}.00</b> in stock</li>`).join('')}</ul>`,
      ),
  },
  '/large': {
    headers: { 'content-type': 'text/html' },
    body: () => page(`<h1>Large</h1>${'<p>The same sentence again and again, until it is five megabytes.</p>'.repeat(75_000)}`),
  },
  '/bomb': { headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' }, body: () => gzipSync(Buffer.alloc(200_000_000)) },
  '/loop': { status: 302, headers: { location: '/loop' }, body: () => Buffer.alloc(0) },
  '/gone': { status: 404, headers: { 'content-type': 'text/html' }, body: () => page('<h1>Not found</h1>') },
};

function page(body: string): Buffer {
  return Buffer.from(`<!doctype html><title>Test</title><main>${body}</main>`);
}

/** Windows-1251 of Russian text. */
function cyrillic(sentence: string): Buffer {
  return Buffer.from(
    [...sentence].map((letter) =>
      letter === 'ё' ? 0xb8 : /[а-яА-Я]/.test(letter) ? letter.charCodeAt(0) - 0x410 + 0xc0 : letter.charCodeAt(0),
    ),
  );
}

suite('weft', { timeout: 600_000 }, () => {
  let machine: Machine;
  let site: { readonly url: string; close(): void };
  before(async () => {
    machine = await makeMachine();
    const server = createServer((request, response) => {
      const found = PAGES[request.url ?? ''];
      response.writeHead(found?.status ?? (found ? 200 : 404), found?.headers).end(found?.body());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    site = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
  });
  after(async () => {
    await machine.run('daemon', 'stop');
    site.close();
    rmSync(machine.home, { recursive: true, force: true });
  });

  test('a status without an agent says what was tried and how to start one', async () => {
    const { code, out, err } = await machine.run('status');
    assert.deepEqual([code, out], [9, '']);
    assert.match(err, /No live agent was found[\s\S]*runtime\.json: there is no such file[\s\S]*Cause: no_agent[\s\S]*Try: {3}weft serve/);
  });

  test('a scrape starts the agent by itself, and standard output carries the page alone', async () => {
    const { code, out, err } = await machine.run('scrape', `${site.url}/plain`);
    assert.deepEqual([code, out], [0, '# Plain\n\nA page of plain words, long enough to be one.\n']);
    assert.match(err, /started the agent/);
  });

  test('a status shows the agent that runs', async () => {
    const { code, out } = await machine.run('status', '--json');
    assert.equal(code, 0);
    assert.equal((JSON.parse(out) as { base_url: string }).base_url, `http://127.0.0.1:${machine.port}`);
  });

  test('a page in Shift_JIS and one in windows-1251 without a header are read', async () => {
    assert.match((await machine.run('scrape', `${site.url}/shift_jis`, '-f', 'text')).out, /日本語 テスト/);
    assert.match((await machine.run('scrape', `${site.url}/windows-1251`, '-f', 'text')).out, /Съешь же ещё этих мягких французских булок/);
  });

  test('a page of five megabytes is read whole, into a file', async () => {
    const file = join(machine.home, 'large.md');
    const { code, out } = await machine.run('scrape', `${site.url}/large`, '-o', file);
    assert.deepEqual([code, out], [0, '']);
    assert.equal(readFileSync(file, 'utf8').match(/The same sentence/g)?.length, 75_000);
  });

  test('extract prints what a selector points at, one value a line, and lists as one JSON line a record', async () => {
    const values = await machine.run('extract', `${site.url}/shelf`, '--css', 'li a');
    assert.deepEqual([values.code, values.out], [0, 'Lamp\nChair\nTable\n']);
    const { out } = await machine.run('extract', `${site.url}/shelf`, '--list');
    const records = out
      .trimEnd()
      .split('\n')
      .map((line) => Object.values(JSON.parse(line) as Record<string, string>));
    assert.deepEqual(
      records.map((fields) => fields.includes('$5.00')),
      [true, false, false],
    );
    assert.equal((await machine.run('extract', `${site.url}/shelf`, '--css', 'li', '--list')).code, 2);
    assert.match((await machine.run('extract', `${site.url}/shelf`, '--css', 'li[')).err, /not valid CSS/);
  });

  test('map prints addresses alone, and the whole answer under --json', async () => {
    const { code, out } = await machine.run('map', `${site.url}/shelf`, '--search', 'chair', '--limit', '2');
    assert.deepEqual([code, out.split('\n')[0]], [0, `${site.url}/chair`]);
    const answer = JSON.parse((await machine.run('map', `${site.url}/shelf`, '--json')).out) as { count: number; complete: boolean };
    assert.deepEqual([answer.count, answer.complete], [4, true]);
  });

  test('a scrape gives every view that records keep, and Markdown to a budget or in pieces', async () => {
    const views = ['raw_html', 'images', 'structured', 'records', 'product', 'forms'];
    const outs = await Promise.all(views.slice(0, 2).map((view) => machine.run('scrape', `${site.url}/shelf`, '-f', view)));
    assert.match(outs[0]?.out ?? '', /^<!doctype html>/);
    assert.deepEqual(JSON.parse(outs[1]?.out ?? ''), []);
    const records = JSON.parse((await machine.run('scrape', `${site.url}/shelf`, '-f', 'records')).out) as { items: unknown[] }[];
    assert.equal(records[0]?.items.length, 3);
    const short = await machine.run('scrape', `${site.url}/large`, '--tokens-max', '60');
    assert.match(short.out, /^# Large\n\nThe same sentence/);
    assert.ok(short.out.length < 260);
    const pieces = (await machine.run('scrape', `${site.url}/shelf`, '--full-page', '--chunks', '16')).out.trimEnd().split('\n');
    assert.ok(pieces.every((line) => (JSON.parse(line) as { tokens: number }).tokens <= 16));
  });

  /** Path, and what the one clear line must say. */
  const FAILURES: readonly (readonly [path: string, cause: RegExp, exit: number])[] = [
    ['/bomb', /25(\.0)? ?MB|bytes/, 3],
    ['/loop', /redirect/i, 3],
    ['/gone', /answered 404; nothing was kept/, 15],
  ];
  for (const [path, cause, exit] of FAILURES)
    test(`a scrape of ${path} fails with one clear error and keeps nothing`, async () => {
      const { code, out, err } = await machine.run('scrape', `${site.url}${path}`);
      assert.deepEqual([code, out], [exit, '']);
      assert.match(err, cause);
      assert.match(err, /^weft: .*\nCause: \w+\nTry: {3}weft /);
    });

  test('an unreachable host fails with its name and the next command', async () => {
    const { code, err } = await machine.run('scrape', `http://127.0.0.1:${await freePorts()}/`);
    assert.equal(code, 12);
    assert.match(err, /no connection[\s\S]*Cause: connect[\s\S]*Try:/);
  });

  test('under --json a failure is one document on standard output', async () => {
    const { code, out, err } = await machine.run('scrape', `${site.url}/gone`, '--json');
    assert.deepEqual([code, err], [15, '']);
    const failure = JSON.parse(out) as { error: string; code: string; next: string[]; retryable: boolean };
    assert.equal(typeof failure.error, 'string');
    assert.deepEqual(failure.next, [`weft map ${site.url}/`]);
  });

  test('a wrong command suggests the right one and exits 2', async () => {
    const { code, out, err } = await machine.run('scrap', 'x');
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /Did you mean scrape\?[\s\S]*weft --help/);
  });

  test('a wrong option value names the choices', async () => {
    const { code, err } = await machine.run('scrape', site.url, '--format', 'pdf');
    assert.equal(code, 2);
    assert.match(err, /markdown, html, raw_html, text, [\w, ]+, json/);
  });

  test('words that a command has no place for are answered with an example of it', async () => {
    const { code, err } = await machine.run('api', 'build', 'http://shop.test/', 'search products');
    assert.equal(code, 2);
    assert.match(
      err,
      /too many arguments.*\nSuch as: .*weft api build https:\/\/shop.example --objective "search products by name"\nTry: .*weft api build --help/,
    );
  });

  test('keys are minted, listed and deleted', async () => {
    const token = (await machine.run('key', 'create', 'reader', '--scopes', 'read')).out.trim();
    assert.match(token, /^wlk_/);
    const { data } = JSON.parse((await machine.run('key', 'list', '--json')).out) as { data: { id: string; name: string }[] };
    assert.equal(data[0]?.name, 'reader');
    assert.equal((await machine.run('key', 'delete', data[0]?.id ?? '')).code, 0);
    assert.equal((await machine.run('key', 'get', data[0]?.id ?? '')).code, 5);
  });

  test('rotating the token leaves the old one dead', async () => {
    const old = (await machine.run('token', 'show')).out.trim();
    const fresh = (await machine.run('token', 'rotate')).out.trim();
    assert.notEqual(fresh, old);
    assert.equal((await machine.runWith({ SERVICE_TOKEN: old }, 'key', 'list')).code, 4);
    assert.equal((await machine.run('key', 'list')).code, 0);
  });

  test('doctor, logs, paths, config and completion print what they promise', async () => {
    assert.match((await machine.run('doctor')).out, /ok {4}database[\s\S]*ok {4}user agent +Sites see "WeftBot\/[\d.]+"\. SERVICE_CONTACT/);
    assert.match((await machine.run('logs', '-n', '5')).out, /INFO|ERROR/);
    assert.match((await machine.run('paths')).out, new RegExp(`database +${machine.home}`));
    const config = await machine.runWith({ SERVICE_TOKEN: 'wlt_secret' }, 'config');
    assert.match(config.out, /SERVICE_TOKEN +\(set, not shown\)/);
    assert.doesNotMatch(config.out, /wlt_secret/);
    for (const shell of ['bash', 'zsh', 'fish', 'pwsh']) assert.match((await machine.run('completion', shell)).out, /scrape/);
  });

  test('--describe prints the command tree as JSON', async () => {
    const tree = JSON.parse((await machine.run('--describe')).out) as { commands: { name: string }[] };
    assert.ok(tree.commands.some(({ name }) => name === 'scrape'));
  });

  test('daemon install --print shows a systemd unit for this home', async () => {
    const { out } = await machine.runWith({ SERVICE_CONTACT: 'bot@site.test' }, 'daemon', 'install', '--print');
    assert.match(out, new RegExp(`ExecStart=[\\s\\S]*SERVICE_HOME=${machine.home}[\\s\\S]*SERVICE_CONTACT=bot@site.test`));
  });

  test('a saved page is parsed without an agent', async () => {
    const file = join(machine.home, 'saved.html');
    writeFileSync(file, '<title>Saved</title><p>Words.');
    const { out } = await machine.run('parse', file, '--url', 'https://x.test/', '--want', 'metadata');
    assert.equal((JSON.parse(out) as { metadata: { title: string } }).metadata.title, 'Saved');
  });

  test('stopping works, and what follows says that nothing runs', async () => {
    assert.match((await machine.run('daemon', 'stop')).out, /has stopped/);
    assert.match((await machine.run('daemon', 'stop')).out, /No agent was running/);
    assert.equal((await machine.run('status')).code, 9);
  });

  test('a port in use is named with the next command', async () => {
    const squatter = createSocketServer().listen(machine.port, '127.0.0.1');
    const { code, err } = await machine.run('scrape', `${site.url}/plain`);
    squatter.close();
    assert.equal(code, 9);
    assert.match(err, new RegExp(`EADDRINUSE[\\s\\S]*${machine.port}[\\s\\S]*SERVICE_PORT=`));
  });

  const BAD_HOMES: readonly (readonly [name: string, home: (file: string) => string])[] = [
    ['is a file', (file) => file],
    ['has a file in its way', (file) => join(file, 'home')],
    ['can not be made', () => '/proc/nowhere/home'],
  ];
  for (const [name, homeOf] of BAD_HOMES)
    test(`a home that ${name} is refused by name, with what to do, and holds up no command`, async () => {
      const file = join(machine.home, 'file');
      mkdirSync(machine.home, { recursive: true });
      writeFileSync(file, '');
      const home = homeOf(file);
      for (const args of [['crawl', 'list'], ['daemon', 'start'], ['serve']]) {
        const { code, out, err } = await machine.runWith({ SERVICE_HOME: home, HOME: home }, ...args);
        assert.deepEqual([code, out], [args[0] === 'serve' ? 1 : 9, ''], err);
        assert.match(err, /could not be started|could not start/);
        assert.ok(err.includes(home) && err.includes('SERVICE_HOME'), err);
      }
      const doctor = await machine.runWith({ SERVICE_HOME: home, HOME: home }, 'doctor');
      assert.match(doctor.out, /FAIL {2}home +[\s\S]*fix: .*SERVICE_HOME/);
      assert.equal(doctor.code, 3);
    });
});
