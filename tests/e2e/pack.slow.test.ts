// What `npm run pack` makes, unpacked where nothing else of the project is: the client with its types, and the command with its agent.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { createAddressGate, createFetcher } from '@weft/engine/io';
import { startTestAgent } from '../agent.ts';
import { findBrowser } from '../browser.ts';
import { startBooks, startQuotes } from '../sites/toscrape.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Another Node that may be here, which strips no types. */
const OLD_NODE = '/usr/bin/node';

suite('what npm run pack makes', { timeout: 600_000 }, () => {
  // Below node_modules, so that packages of others are found as where npm installs them.
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.cache-pack-'));
  const modules = join(folder, 'node_modules');
  before(() => {
    const packed = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'scripts', 'pack.ts')], {
      encoding: 'utf8',
    });
    assert.equal(packed.status, 0, packed.stderr);
    const [client = '', command = ''] = packed.stdout.trim().split('\n');
    for (const [archive, name] of [
      [client, '@weft/client'],
      [command, 'weft'],
    ] as const) {
      mkdirSync(join(modules, name), { recursive: true });
      assert.equal(spawnSync('tar', ['-xzf', archive, '--strip-components=1', '-C', join(modules, name)]).status, 0);
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const nodes = [process.execPath, ...(existsSync(OLD_NODE) ? [OLD_NODE] : [])];
  const inFolder = (node: string, args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) =>
    spawnSync(node, args, { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: folder, ...env } });

  for (const node of nodes)
    test(`the command answers on ${node}`, () => {
      const { stdout, stderr } = inFolder(node, ['node_modules/weft/weft.mjs', '--version']);
      assert.deepEqual([stdout, stderr], ['0.1.0\n', '']);
      assert.match(
        inFolder(node, ['node_modules/weft/weft.mjs', 'config', '--all'], { SERVICE_HOME: folder }).stdout,
        /runs_max\.total = 16/,
      );
    });

  test('the agent says in a sentence which Node it needs', { skip: nodes.length === 1 }, () => {
    const { stderr, status } = inFolder(OLD_NODE, ['node_modules/weft/node_modules/@weft/daemon/src/main.js']);
    assert.equal(status, 1);
    assert.match(stderr, /^weft: the agent needs Node 24 or later, this is v\d+\.\d+\.\d+\. .*\n$/);
  });

  test('the tasks of the client hold in types, and each does what it says', async () => {
    await using books = await startBooks();
    await using quotes = await startQuotes();
    const fetcher = createFetcher({ gate: createAddressGate({ mode: 'agent' }), home: '/nowhere', chromePath: await findBrowser() });
    await using agent = await startTestAgent({ fetcher });
    const [local = '', cloud = ''] = readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8').split('## The cloud');
    const blocksOf = (markdown: string) => [...markdown.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);
    const tasks = blocksOf(local);
    assert.equal(tasks.length, 11, 'how it begins, and ten tasks');
    const lines = tasks.join('\n').split('\n');
    const [imports, rest] = [lines.filter((line) => line.startsWith('import ')), lines.filter((line) => !line.startsWith('import '))];
    const source = [...imports, ...rest]
      .join('\n')
      .replaceAll('http://books.toscrape.com', books.origin)
      .replaceAll('http://quotes.toscrape.com', quotes.origin);
    // They name no types, so they are JavaScript as well, which alone is run below node_modules.
    for (const name of ['tasks.ts', 'tasks.mjs']) writeFileSync(join(folder, name), source);
    writeFileSync(join(folder, 'cloud.ts'), blocksOf(cloud).join('\n'));
    const types = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      'node',
      'tasks.ts',
      'cloud.ts',
    ];
    const checked = inFolder(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--ignoreConfig', ...types]);
    assert.deepEqual([checked.stdout, checked.status], ['', 0], checked.stderr);
    const env = { PATH: process.env['PATH'], HOME: folder, SERVICE_API_URL: agent.baseUrl, SERVICE_TOKEN: agent.token };
    const child = spawn(process.execPath, ['tasks.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(err, '');
    assert.match(out, /All products[^]*browser 0\n[^]*A Light in the Attic[^]*tipping-the-velvet[^]*Albert Einstein[^]*http_status/);
  });
});
