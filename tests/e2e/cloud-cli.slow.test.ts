// The command line and the cloud: pages for credits and without a key, its management, and a workflow that is published and called.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, suite, test } from 'node:test';
import { ACCOUNT_TABLE, CLOUD_TABLE, listOperations } from '@weft/contract';
import { CLOUD_COMMANDS } from '../../packages/cli/src/generated/cloud-commands.ts';
import { CLOUD_ROUTES } from '../../packages/client/src/generated/cloud-routes.ts';
import { booksAgree, openTestAccount, startTestCloud } from '../cloud.ts';
import type { TestCloud } from '../cloud.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import type { RawServer } from '../sites/raw-server.ts';
import type { LineOutcome, TypedLine } from './cli-lines.ts';

const LINES = join(import.meta.dirname, 'cli-lines.ts');
const WORDS = 'Words that a reader finds on a page. '.repeat(20);
const html = (body: string) => reply({ headers: { 'Content-Type': 'text/html' }, body: `<!doctype html><title>Kettles</title>${body}` });

suite('weft cloud', { timeout: 600_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'weft-cloud-cli-'));
  let site: RawServer;
  let cloud: TestCloud;
  let child: ChildProcess;
  let answers: AsyncIterator<string>;
  let env: Record<string, string>;

  /** One command line, in a program that runs them all. */
  const weft = async (args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<LineOutcome> => {
    child.stdin?.write(`${JSON.stringify({ args, env: { ...env, ...more } } satisfies TypedLine)}\n`);
    const { value } = await answers.next();
    return JSON.parse(value as string) as LineOutcome;
  };
  const done = async (...args: readonly string[]): Promise<string> => {
    const { out, err, exit } = await weft(args);
    assert.equal(exit, 0, `${args.join(' ')}: ${err}`);
    return out.trim();
  };

  before(async () => {
    const links = '<a href="/a">a</a> <a href="/b">b</a>';
    site = await startRawServer({
      '/': html(`<h1>Kettles</h1><p>${WORDS}${links}`),
      '/a': html(`<h1>A</h1><p>A ${WORDS}`),
      '/b': html(`<h1>B</h1><p>B ${WORDS}`),
    });
    cloud = await startTestCloud({ privateTargets: [`127.0.0.1:${site.port}`] });
    const { token } = await openTestAccount(cloud, 100);
    env = { PATH: process.env['PATH'] ?? '', HOME: home, SERVICE_HOME: home, SERVICE_CLOUD_URL: cloud.baseUrl, SERVICE_API_KEY: token };
    child = spawn(process.execPath, [LINES], { stdio: ['pipe', 'pipe', 'inherit'] });
    assert.ok(child.stdout);
    answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  });
  after(async () => {
    child.stdin?.end();
    await once(child, 'exit');
    try {
      assert.deepEqual(cloud.logged, []);
      await booksAgree(cloud.database);
    } finally {
      await cloud[Symbol.asyncDispose]();
      await site.close();
      rmSync(home, { recursive: true });
    }
  });

  test('there is a command for each row of its targets, its builds and its management, with a place for each part of the path', () => {
    const commands = CLOUD_COMMANDS.flatMap((group) => group.commands);
    assert.deepEqual(
      commands.map(({ id, args }) => `${id} ${args.join(' ')}`),
      listOperations({ targets: CLOUD_TABLE.targets, cloudBuilds: CLOUD_TABLE.cloudBuilds, ...ACCOUNT_TABLE }).map(
        ({ id, path }) => `${id} ${[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).join(' ')}`,
      ),
    );
    for (const { id, members, takesBody } of commands)
      assert.ok(takesBody === true || members.every(({ name }) => CLOUD_ROUTES[id]?.query.includes(name)), id);
  });

  test('pages, sites and maps come by the cloud, for credits and without a key', async () => {
    assert.match(await done('scrape', site.origin, '--cloud'), /^# Kettles/);
    const lines = (await done('crawl', `${site.origin}/`, '--cloud', '--limit', '3', '-o', '-', '--quiet')).split('\n');
    assert.equal(lines.length, 3);
    assert.equal((await done('map', site.origin, '--cloud')).split('\n').length, 3);
    const keyless = await weft(['scrape', site.origin, '--cloud', '--json'], { SERVICE_API_KEY: '' });
    assert.deepEqual([keyless.exit, (JSON.parse(keyless.out) as { title: string }).title], [0, 'Kettles']);
    assert.ok(existsSync(join(home, 'client-id')) && !existsSync(join(home, 'runtime.json')), 'no agent was started');
    const [job] = (JSON.parse(await done('cloud', 'jobs', 'list', '--json')) as { data: { id: string }[] }).data;
    const folder = join(home, 'pages');
    mkdirSync(folder);
    await done('crawl', 'show', job?.id ?? '', '-o', `${folder}/`);
    assert.match(readFileSync(join(folder, 'a.md'), 'utf8'), /# A/);
    const clamped = await done('crawl', `${site.origin}/`, '--cloud', '--limit', '3', '--max-credits', '2', '--lane', 'http');
    assert.match(clamped, /^limit +2 pages, as many as max_credits reaches for$/m);
  });

  test('a target is made, checked, listed and deleted', async () => {
    const selectors = JSON.stringify([{ selector: 'h1' }]);
    const made = JSON.parse(await done('cloud', 'targets', 'create', '--url', `${site.origin}/a`, '--selectors', selectors, '--json')) as {
      id: string;
      selectors: { id: number }[];
    };
    const run = JSON.parse(await done('cloud', 'targets', 'run', made.id, '--json')) as { check: { page: { url: string } } };
    assert.equal(run.check.page.url, `${site.origin}/a`);
    assert.match(await done('cloud', 'targets', 'list'), new RegExp(made.id));
    const selector = String(made.selectors[0]?.id);
    assert.match(await done('cloud', 'target-history', 'values', made.id, '--selector-id', selector), /A/);
    assert.match(await done('cloud', 'targets', 'update', made.id, '--name', 'First'), /First/);
    await done('cloud', 'targets', 'toggle', made.id);
    assert.equal(await done('cloud', 'targets', 'changes', made.id), 'Nothing.');
    await done('cloud', 'targets', 'delete', made.id);
    assert.equal(await done('cloud', 'targets', 'list'), 'Nothing.');
  });

  test('a picture without a key is refused for want of one, and a cloud without a browser says that it has none', async () => {
    const asked = ['scrape', site.origin, '--cloud', '--screenshot', join(home, 'x.png')];
    const keyless = await weft(asked, { SERVICE_API_KEY: '' });
    assert.notEqual(keyless.exit, 0);
    assert.match(keyless.err, /A scrape with "screenshot" needs an API key .*SERVICE_API_KEY/);
    const plain = await weft(asked);
    assert.deepEqual([plain.exit, existsSync(join(home, 'x.png'))], [3, false]);
    assert.match(plain.err, /without a screenshot; only a browser can take one\..*weft cloud credits balance/s);
  });

  test('what only the agent has is refused, not left out', async () => {
    for (const [flag, ...args] of [
      ['--proxy', 'scrape', site.origin, '--cloud', '--proxy', 'office'],
      ['--persona', 'crawl', site.origin, '--cloud', '--persona', '1'],
      ['--subdomains', 'map', site.origin, '--cloud', '--subdomains'],
    ] as const) {
      const { exit, err } = await weft(args);
      assert.equal(exit, 2, flag);
      assert.ok(err.includes(`${flag} is for the agent`), err);
    }
  });

  test('a workflow is published from a file, and called with a key of its own', async () => {
    const file = join(home, 'title.json');
    const steps = [
      { id: 'open', type: 'navigate', url: `${site.origin}/{{inputs.page}}` },
      { id: 'title', type: 'extract', fields: { title: { selectors: ['h1'] } } },
    ];
    const inputs = { type: 'object', properties: { page: { type: 'string' } }, required: ['page'] };
    writeFileSync(file, JSON.stringify({ slug: 'title', name: 'Title', concurrency: 2, inputs, steps }));
    assert.match(await done('publish', file, '--slug', 'titles'), /titles\/title/);
    const key = await done(
      'cloud',
      'consumer-keys',
      'create',
      '--name',
      'caller',
      '--slug',
      'titles',
      '--paths',
      'title',
      '--daily-cap',
      '5',
    );
    assert.match(key, /^csk_/);
    const called = await weft(['cloud', 'call', 'titles/title', '-i', 'page=b'], { SERVICE_CONSUMER_KEY: key });
    assert.deepEqual([called.exit, JSON.parse(called.out)], [0, [{ title: 'B' }]]);
    const failed = await weft(['cloud', 'call', 'titles/title', '-i', 'page=none'], { SERVICE_CONSUMER_KEY: key });
    assert.equal(failed.exit, 3);
    assert.match(await done('cloud', 'runs', 'list'), /titles.*failed[\s\S]*titles.*succeeded/);
    assert.match(await done('cloud', 'publish', 'revisions', 'titles', 'title'), /1 +Title +true/);
  });

  test('what a cloud refuses has an exit code and a way on', async () => {
    const cases: readonly (readonly [args: readonly string[], more: Record<string, string>, exit: number, said: RegExp])[] = [
      [['cloud', 'credits', 'balance'], { SERVICE_CLOUD_URL: '' }, 9, /SERVICE_CLOUD_URL: not set[\s\S]*weft cloud start/],
      [['cloud', 'credits', 'balance'], { SERVICE_API_KEY: '' }, 4, /needs an API key/],
      [['cloud', 'credits', 'balance'], { SERVICE_API_KEY: `wt_${'x'.repeat(49)}` }, 4, /weft cloud accounts key/],
      // The token of the agent mends nothing of it.
      [
        ['crawl', 'https://example.com/', '--cloud'],
        { SERVICE_API_KEY: `wt_${'x'.repeat(49)}` },
        4,
        /^(?![\s\S]*weft token)[\s\S]*weft cloud accounts key/,
      ],
      [['cloud', 'publish', 'get', 'titles', 'none'], {}, 5, /There is no function/],
      [['cloud', 'account', 'update', '--retention-days', 'x'], {}, 2, /whole number/],
      [['cloud', 'account', 'delete', '--confirm', 'acct_x'], {}, 2, /nothing was deleted/],
    ];
    for (const [args, more, exit, said] of cases) {
      const outcome = await weft(args, more);
      assert.equal(outcome.exit, exit, `${args.join(' ')}: ${outcome.err}`);
      assert.match(outcome.err, said);
    }
  });

  test('an operator opens accounts, grants credits and deletes them at the database', async () => {
    const admin = async (...args: readonly string[]) =>
      await weft(['cloud', 'accounts', ...args, '--json'], { DATABASE_URL: cloud.database.url });
    const opened = JSON.parse((await admin('open', 'A shop', '--credits', '5')).out) as { id: string; token: string };
    assert.equal((JSON.parse((await admin('grant', opened.id, '7')).out) as { available: number }).available, 12);
    const balance = await weft(['cloud', 'credits', 'balance', '--json'], { SERVICE_API_KEY: opened.token });
    assert.equal((JSON.parse(balance.out) as { granted: number }).granted, 12);
    assert.equal((await admin('delete', opened.id)).exit, 0);
    assert.equal((await admin('delete', opened.id)).exit, 5);
    assert.equal((await admin('grant', opened.id, 'many')).exit, 2);
  });

  test('completion offers its commands', async () => {
    const words = (await done('completion', 'words', 'cloud')).split('\n');
    for (const word of ['start', 'accounts', 'call', ...CLOUD_COMMANDS.map(({ name }) => name)]) assert.ok(words.includes(word), word);
  });
});
