// What a person is told when something goes wrong: the cause, its exit code, and a next command that exists. Real processes, a real agent.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { EXIT } from '../../packages/cli/src/exit.ts';
import type { CommandSpec } from '../../packages/cli/src/spec.ts';
import { COMMANDS } from '../../packages/cli/src/tree.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { createAuthority, issueCertificate } from '../sites/certificates.ts';
import { serveOnLoopback } from '../sites/on-loopback.ts';
import type { LoopbackServer } from '../sites/on-loopback.ts';
import type { LineOutcome, TypedLine } from './cli-lines.ts';
import type { RawAnswer, RawServer } from '../sites/raw-server.ts';
import { hang, redirect, reply, reset, startRawServer } from '../sites/raw-server.ts';
import { CHILD_ENV } from '../child-env.ts';

const LINES = join(import.meta.dirname, 'cli-lines.ts');
const status = (line: string, headers = {}) =>
  reply({ status: line, headers: { 'Content-Type': 'text/html', ...headers }, body: '<h1>No</h1>' });
const html = (body: string) =>
  reply({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: `<!doctype html><html lang="en">${body}` });
const LOGIN = html(
  '<title>Sign in</title><h1>Sign in</h1><p>Please sign in to continue.</p><form method="post"><input name="u"><input type="password" name="p"></form>',
);

const ROUTES = {
  '/robots.txt': reply({ headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /shut' }),
  '/good': html('<title>Good</title><main><h1>Good</h1><p>A page of words that says enough to be one.</p></main>'),
  '/gone': status('410 Gone'),
  '/401': status('401 Unauthorized'),
  '/403': status('403 Forbidden'),
  '/500': status('500 Internal Server Error'),
  '/502': status('502 Bad Gateway'),
  '/members': redirect('/login'),
  '/login': LOGIN,
  '/check': html('<title>Just a moment...</title><h1>Verify you are human</h1><div class="g-recaptcha" data-sitekey="a"></div>'),
  '/silent': hang(),
  '/drips': hang('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 90\r\n\r\n<p>'),
  '/reset': reset(),
  '/garbage': (socket: { end: (text: string) => void }) => socket.end('no HTTP at all\r\n\r\n'),
  '/loop': redirect('/loop'),
  '/bytes': reply({ headers: { 'Content-Type': 'application/octet-stream' }, body: new Uint8Array([0, 1, 2, 3]) }),
  '/empty': html(''),
  '/shell': html('<title>Shell</title><body><div id="root"></div><script src="/app.js"></script></body>'),
};

interface Surroundings {
  readonly agent: TestAgent;
  readonly site: RawServer;
  readonly busy: RawServer;
  readonly secure: RawServer;
  /** Speaks HTTP, and no TLS. */
  readonly plain: LoopbackServer;
  readonly closed: string;
  readonly key: string;
}

let all: Surroundings;
before(async () => {
  // A machine without a browser: what a plain request is refused stays refused.
  const gate = createAddressGate({ mode: 'agent' });
  const fetcher = createFetcher({ gate, home: '/nowhere', chromePath: '/nowhere/chrome', limits: { headersMs: 150 } });
  const agent = await startTestAgent({ fetcher });
  let turns = 0;
  const moving = () =>
    html(`<title>Moving</title><main><h1>Moving</h1><p>This page says ${++turns} each time that it is asked.</p></main>`);
  const site = await startRawServer(({ path }) => (path === '/moving' ? moving() : (ROUTES as Readonly<Record<string, RawAnswer>>)[path]));
  const busy = await startRawServer(() => status('429 Too Many Requests', { 'Retry-After': '3600' }));
  const secure = await startRawServer(ROUTES, issueCertificate(createAuthority(), '127.0.0.1', 30));
  const plain = await serveOnLoopback((_request, response) => void response.end());
  const { token: key } = await agent.client.keys.create({ name: 'reader', scopes: 'read' });
  const { client } = agent;
  await client.crawlDefinitions.create({ url: 'http://x.test/', slug: 'taken' });
  await client.crawlDefinitions.create({ url: `${site.origin}/moving`, slug: 'moving' });
  await client.crawlDefinitions.run({ ref: 'moving', wait: true });
  await client.personas.create({ name: 'me', origins: [site.origin] });
  await client.vault.unlock({ new_passphrase: 'correct horse battery' });
  await client.vault.lock({});
  all = { agent, site, busy, secure, plain, closed: await closedOrigin(), key };
});
after(async () => {
  await all.agent[Symbol.asyncDispose]();
  await Promise.all([all.site.close(), all.busy.close(), all.secure.close(), all.plain[Symbol.asyncDispose]()]);
});

/** What is typed, how it exits, under which name, what is said, and how the next command begins. */
type Situation = readonly [typed: string, exit: keyof typeof EXIT, code: string, says: RegExp, next: string];

/** `SITE`, `BUSY`, `SECURE` and `CLOSED` stand for addresses. */
const SITUATIONS: readonly Situation[] = [
  [
    'scrape http://no-such-host.invalid/',
    'dns',
    'dns',
    /^weft: http:\/\/no-such-host.invalid\/: the host name does not exist/,
    'weft scrape http://no-such-host.invalid/',
  ],
  ['map http://no-such-host.invalid/', 'dns', 'dns', /host name does not exist/, 'weft map http://no-such-host.invalid/'],
  ['scrape CLOSED/', 'connect', 'connect', /no connection.*ECONNREFUSED/, 'weft scrape http://'],
  ['scrape SITE/reset', 'connect', 'connect', /no connection, or it was closed/, 'weft scrape http://'],
  ['scrape SITE/garbage', 'connect', 'bad_response', /not valid HTTP/, 'weft scrape http://'],
  ['scrape SECURE/good', 'tls', 'tls', /certificate or encryption is not acceptable \([^:]*\)/, 'weft scrape https://'],
  ['scrape PLAIN/good', 'tls', 'tls', /speaks no TLS on this port/, 'weft scrape http://'],
  ['scrape SITE/silent', 'timeout', 'timeout', /no response headers within 150 ms/, 'weft scrape http://'],
  ['scrape SITE/absent', 'httpStatus', 'http_status', /^weft: http\S+ answered 404; nothing was kept/, 'weft map http://'],
  ['extract SITE/gone --css h1', 'httpStatus', 'http_status', /answered 410/, 'weft map http://'],
  ['crawl SITE/absent', 'httpStatus', 'http_status', /could not be crawled: HTTP 404/, 'weft map http://'],
  ['scrape SITE/500', 'serverError', 'server_error', /answered 500; .*fault of its own/, 'weft scrape http://'],
  ['crawl SITE/502', 'serverError', 'server_error', /HTTP 502/, 'weft crawl http://'],
  ['scrape BUSY/', 'allowance', 'rate_limited', /left alone until 2026-01-01T01:0/, 'weft hosts'],
  ['extract BUSY/ --css h1', 'allowance', 'rate_limited', /left alone until/, 'weft hosts'],
  ['crawl BUSY/', 'allowance', 'rate_limited', /left alone until/, 'weft hosts'],
  ['scrape SITE/check', 'human', 'captcha', /asks to solve a captcha/, 'weft parse page.html --url http://'],
  ['scrape SITE/members', 'human', 'blocked', /asks to log in/, 'weft persona add 127.0.0.1 --origin http://'],
  ['scrape SITE/401', 'human', 'blocked', /asks to log in/, 'weft persona add'],
  ['scrape SITE/403', 'failed', 'blocked', /refuses the request/, 'weft scrape http://'],
  ['crawl SITE/shut/a', 'robots', 'robots', /robots.txt line 2: Disallow: \/shut/, 'weft crawl http://'],
  ['scrape SITE/loop', 'failed', 'redirect_loop', /in a circle/, 'weft map http://'],
  ['scrape SITE/bytes', 'failed', 'unsupported_type', /holds no text to read/, 'weft map http://'],
  ['scrape SITE/empty', 'failed', 'page_unreadable', /has no content/, 'weft scrape http://'],
  ['scrape http://127.0.0.1:25/', 'failed', 'address', /port is kept for services that are no web servers/, 'weft scrape --help'],
  ['extract SITE/good --css .none --require', 'unexpected', '', /nothing on http\S+ matches --css .none/, ''],
  ['scrape ftp://example.com/', 'usage', 'bad_request', /must be an http or https URL/, 'weft scrape --help'],
  ['scrape http://me:pw@example.com/', 'usage', 'bad_request', /user name/, 'weft scrape --help'],
  ['scrape', 'usage', 'bad_request', /Name an address/, 'weft scrape --help'],
  ['scrape SITE/good -f markdwon', 'usage', 'bad_request', /"markdwon" is no format; take some of/, 'weft scrape --help'],
  ['crawl SITE/good --limit 0', 'usage', 'bad_request', /"limit" must be at least 1; it is 0/, 'weft crawl --help'],
  ['crawl lsit', 'usage', 'bad_request', /did you mean weft crawl list\?/, 'weft crawl list --help'],
  ['extract SITE/good', 'usage', 'bad_request', /Say what to extract/, 'weft extract https://example.com --css h1'],
  ['extract SITE/good --css #a[', 'usage', 'bad_request', /not valid CSS/, 'weft extract --help'],
  ['scrape SITE/good --persona 99', 'usage', 'bad_request', /There is no persona 99/, 'weft persona list'],
  ['scrape SITE/good --persona nobody', 'notFound', 'not_found', /There is no persona "nobody"/, 'weft persona list'],
  ['persona login nobody SITE/', 'notFound', 'not_found', /There is no persona "nobody"/, 'weft persona list'],
  ['crawl show 99', 'notFound', 'not_found', /There is no crawl 99/, 'weft crawl list'],
  ['crawl cancel 99', 'notFound', 'not_found', /There is no crawl 99/, 'weft crawl list'],
  ['crawl run nope', 'notFound', 'not_found', /There is no saved crawl "nope"/, 'weft crawl saved'],
  ['dataset show 99', 'notFound', 'not_found', /There is no dataset 99/, 'weft dataset list'],
  ['monitor check 99', 'notFound', 'not_found', /There is no monitor 99/, 'weft monitor list'],
  ['automation show 99', 'notFound', 'not_found', /There is no automation 99/, 'weft automation list'],
  ['run nope', 'notFound', 'not_found', /There is no workflow "nope"/, 'weft workflow list'],
  ['key get key_none', 'notFound', 'not_found', /There is no key "key_none"/, 'weft key list'],
  ['file get file_none', 'notFound', 'not_found', /There is no file/, 'weft file list'],
  ['notify test 99', 'notFound', 'not_found', /There is no channel 99/, 'weft notify list'],
  ['secret show none', 'notFound', 'not_found', /There is no secret "none"/, 'weft secret list'],
  ['hosts ask example.com', 'notFound', 'not_found', /has not asked to be left alone/, 'weft hosts'],
  ['crawl run moving --exit-code', 'changed', '', /0 new, 1 changed, 0 gone, 0 equal/, ''],
  ['scrape SITE/good --persona Me', 'human', 'vault_locked', /The vault is locked/, 'weft vault unlock'],
  ['scrape SITE/good --persona 1', 'human', 'vault_locked', /The vault is locked/, 'weft vault unlock'],
  ['scrape SITE/drips --timeout 1', 'waitSpent', 'wait_timeout', /did not come within 1 s, and its scrape was ended/, 'weft scrape'],
  ['crawl save http://x.test/ --slug taken', 'conflict', 'conflict', /"taken"/, ''],
  ['scrape SITE/good +WRONG', 'auth', 'unauthorized', /token is not known/, 'weft token'],
  ['scrape SITE/good +READER', 'auth', 'forbidden', /scope/, 'weft key list'],
  ['start', 'usage', 'bad_request', /There is no command "start"; did you mean weft daemon start/, 'weft daemon start'],
  ['version', 'usage', 'bad_request', /did you mean weft --version/, 'weft --help'],
  ['hosts clear example.com', 'usage', 'bad_request', /weft hosts has no command "clear"; below it there is ask/, 'weft hosts --help'],
  ['crawl help', 'usage', 'bad_request', /"help" is no address/, 'weft crawl --help'],
  ['scrape ./page.html', 'usage', 'bad_request', /"\.\/page.html" is a file or a folder, and this command reads addresses/, 'weft parse'],
  ['parse page.html', 'usage', 'bad_request', /Say with --url where the page was found/, 'weft parse page.html --url'],
  ['parse page.html --url http://x.test/', 'usage', 'bad_request', /page.html can't be read: there is no such file/, 'weft parse --help'],
  ['scrape SITE/good -o /proc/page.md', 'failed', 'file', /\/proc\/page.md can't be read or written: there is no such file/, ''],
  ['scrape SITE/shell', 'done', '', /wants a browser for its scripts, and none starts here/, ''],
  ['status +NOBODY', 'noAgent', 'no_agent', /No live agent was found/, 'weft serve'],
];

suite('every situation names its cause, exits as documented and ends with a command that exists', () => {
  let outcomes: readonly LineOutcome[] = [];
  before(async () => {
    outcomes = await runLines(SITUATIONS.map(([typed]) => lineOf(typed)));
  });
  SITUATIONS.forEach(([typed, exit, code, says, next], i) =>
    test(typed, () => {
      const { out = '', err = '', exit: exited } = outcomes[i] ?? {};
      const [cause, tried] = [/^Cause: (\w+)/m.exec(err)?.[1] ?? '', /^Try: +(.*)$/m.exec(err)?.[1] ?? ''];
      assert.deepEqual([exited, cause], [EXIT[exit], code], err);
      assert.match(code === '' ? `${err}${out}` : err, says);
      assert.ok(tried.startsWith(next) && (tried === '') === (next === ''), tried);
      assert.equal(err.match(/^Cause: /gm)?.length ?? 0, code === '' ? 0 : 1);
      assert.ok(code === '' || out === '' || typed.startsWith('crawl '), out);
      assert.doesNotMatch(err, /\w+\.\w+\(\{/, 'no code in a hint');
      if (tried !== '') assert.equal(faultOf(tried), undefined, tried);
    }),
  );

  test('the table has forty situations and more, and each exit code of an address', () => {
    assert.ok(SITUATIONS.length >= 40);
    const exits = new Set(SITUATIONS.map(([, exit]) => exit));
    for (const exit of ['dns', 'connect', 'tls', 'timeout', 'httpStatus', 'serverError', 'robots', 'allowance', 'human'] as const)
      assert.ok(exits.has(exit), exit);
  });
});

test('a host that asked to be left alone is shown with until when and why, and a person has it asked again', async () => {
  const { agent } = all;
  const away = status('503 Service Unavailable', { 'Retry-After': '3600' });
  let requests = 0;
  const host = await startRawServer(({ path }) =>
    path === '/robots.txt' ? ROUTES['/robots.txt'] : requests++ === 0 ? away : ROUTES['/good'],
  );
  try {
    assert.equal((await agent.client.crawl.start({ url: `${host.origin}/`, limit: 1, wait: true })).failure?.code, 'rate_limited');
    const shown = (await agent.client.hosts.list({})).data.find((one) => one.host === host.origin);
    assert.deepEqual([shown?.status, shown?.named, shown?.says], [503, true, 'It answered 503, and named the time itself.']);
    const [listed, asked, none] = await runLines(['hosts', `hosts ask ${host.origin}`, `hosts ask ${host.origin}`].map(lineOf));
    assert.match(listed?.out ?? '', new RegExp(`${host.origin} +${shown?.until} +It answered 503`));
    assert.deepEqual([listed?.exit, asked?.exit, none?.exit], [EXIT.done, EXIT.done, EXIT.notFound]);
    assert.equal((await agent.client.crawl.start({ url: `${host.origin}/`, limit: 1, wait: true })).status, 'succeeded');
    assert.equal(
      (await agent.client.hosts.list({})).data.some((one) => one.host === host.origin),
      false,
    );
  } finally {
    await host.close();
  }
});

/** The command line with its addresses filled in; a word that begins with + says who calls. */
function lineOf(typed: string): TypedLine {
  const { agent, site, busy, secure, plain, closed, key } = all;
  const words = typed
    .replace('PLAIN', plain.origin.replace('http:', 'https:'))
    .replace('SITE', site.origin)
    .replace('BUSY', busy.origin)
    .replace('SECURE', secure.origin)
    .replace('CLOSED', closed)
    .split(' ');
  const token = words.includes('+WRONG') ? 'wlt_wrong' : words.includes('+READER') ? key : agent.token;
  const isAlone = words.includes('+NOBODY');
  const home = isAlone ? join(agent.home, 'nobody') : agent.home;
  const way = isAlone ? {} : { SERVICE_API_URL: agent.baseUrl, SERVICE_TOKEN: token };
  return { args: words.filter((word) => !word.startsWith('+')), env: { HOME: home, SERVICE_HOME: home, ...way } };
}

/** What came of all command lines, in one process. */
async function runLines(lines: readonly TypedLine[]): Promise<readonly LineOutcome[]> {
  const home = all.agent.home;
  const child = spawn(process.execPath, [LINES], {
    env: { ...CHILD_ENV, HOME: home },
    cwd: home,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return (await text(child.stdout))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LineOutcome);
}

/** What keeps a printed command line from being one; undefined where it can be typed. */
function faultOf(line: string): string | undefined {
  const [name, ...words] = line.match(/'[^']*'|\S+/g) ?? [];
  if (name !== 'weft') return 'it is no command line of weft';
  let command: CommandSpec | undefined;
  while (words[0] !== undefined) {
    const below: readonly CommandSpec[] = command ? (command.commands ?? []) : COMMANDS;
    const found = below.find((one) => one.name === words[0]);
    if (!found) break;
    command = found;
    words.shift();
  }
  if (words.includes('--help')) return undefined;
  if (!command) return 'there is no such command';
  const options = (command.options ?? []).flatMap(({ flags }) => flags.match(/--[a-z-]+|-[a-z]\b/g) ?? []);
  const unknown = words.filter((word) => word.startsWith('-')).find((word) => !options.includes(word) && word !== '--json');
  if (unknown !== undefined) return `it has no ${unknown}`;
  const needed = (command.args ?? []).filter((arg) => arg.startsWith('<')).length;
  if (command.load === undefined && words.length > 0) return 'it is a group';
  return words.filter((word) => !word.startsWith('-')).length < needed ? 'an argument is missing' : undefined;
}

async function closedOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
