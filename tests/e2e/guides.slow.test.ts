// The guides, command by command as they stand in docs/guides, against sites on loopback. What they say is printed is printed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { findBrowser } from '../browser.ts';
import { freePorts } from '../conformance/program.ts';
import type { LoopbackServer } from '../sites/on-loopback.ts';
import { serveReceiver } from '../sites/receiver.ts';
import { startBooks, startQuotes } from '../sites/toscrape.ts';
import type { BookSite } from '../sites/toscrape.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const GUIDES = join(ROOT, 'docs', 'guides');
const BACKUP = join(ROOT, 'tests', 'vectors', 'changedetection-backup.zip');

/** A fence of a guide: `file=name` is written, `sh` is run and says what happens meanwhile, `text` is what the one before it prints. */
interface Block {
  readonly kind: string;
  readonly word: string;
  readonly body: string;
}

function blocksOf(guide: string): readonly Block[] {
  const fences = readFileSync(join(GUIDES, guide), 'utf8').matchAll(/^```(\w+)(?: (\S+))?\n([^]*?)^```$/gm);
  return [...fences].map(([, kind = '', word = '', body = '']) => ({ kind, word, body }));
}

/** What is printed, with `…` for whatever stands there. */
function patternOf(body: string): RegExp {
  const literal = body.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('…', '[^]*?')}$`);
}

/** What changedetection.io made of itself (`npm run campaign -- take-over`), with the addresses of the sites that stand in here. */
function changedetectionBackup(here: (text: string) => string): Uint8Array {
  const files = Object.entries(unzipSync(readFileSync(BACKUP)));
  return zipSync(Object.fromEntries(files.map(([path, bytes]) => [path, strToU8(here(strFromU8(bytes)))])));
}

suite('the guides', { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-guides-'));
  const hosts = new Map<string, string>();
  let books: BookSite;
  let servers: readonly LoopbackServer[] = [];
  let env: Readonly<Record<string, string | undefined>>;

  before(async () => {
    books = await startBooks();
    const [quotes, receiver] = await Promise.all([startQuotes(), serveReceiver(() => ({ status: 200 }))]);
    servers = [books, quotes, receiver];
    hosts.set('http://books.toscrape.com', books.origin).set('http://quotes.toscrape.com', quotes.origin);
    hosts.set('https://hooks.example.com', receiver.origin);
    const port = await freePorts();
    hosts.set('http://127.0.0.1:8131', `http://127.0.0.1:${port}`);
    const home = join(folder, 'home');
    mkdirSync(join(folder, 'bin'));
    const launcher = join(folder, 'bin', 'weft');
    writeFileSync(launcher, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'packages/cli/src/main.ts')}" "$@"\n`);
    chmodSync(launcher, 0o755);
    env = {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      HOME: home,
      SERVICE_HOME: home,
      SERVICE_PORT: String(port),
      SERVICE_CHROME: await findBrowser(),
    };
    assert.equal((await shell('weft daemon start', folder)).code, 0);
  });
  after(async () => {
    await shell('weft daemon stop', folder);
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    rmSync(folder, { recursive: true, force: true });
  });

  /** What happens between two commands of a guide, by the word behind its fence. */
  const meanwhile: Readonly<Record<string, (cwd: string) => void>> = {
    'price-goes-up': () => books.raisePrices(5),
    'changedetection-backup': (cwd) => writeFileSync(join(cwd, 'backup.zip'), changedetectionBackup(here)),
  };

  function here(text: string): string {
    return [...hosts].reduce((all, [named, origin]) => all.replaceAll(named, origin), text);
  }

  async function shell(script: string, cwd: string) {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${script}`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { out: await text(child.stdout), code: await ended };
  }

  for (const guide of readdirSync(GUIDES).filter((name) => name !== 'README.md'))
    test(`${guide} can be followed word for word`, async () => {
      const cwd = join(folder, guide.replace('.md', ''));
      mkdirSync(cwd);
      const blocks = blocksOf(guide);
      assert.ok(
        blocks.some(({ kind }) => kind === 'sh'),
        'a guide has commands',
      );
      for (const [i, { kind, word, body }] of blocks.entries()) {
        if (word.startsWith('file=')) writeFileSync(join(cwd, word.slice('file='.length)), here(body));
        if (kind !== 'sh') continue;
        if (word !== '') meanwhile[word]?.(cwd);
        const { out, code } = await shell(here(body), cwd);
        assert.equal(code, 0, `${body}\n${out}`);
        const said = blocks[i + 1];
        if (said?.kind === 'text') assert.match(out.trim(), patternOf(here(said.body)), body);
      }
    });

  test('every guide is listed, and none is that is not there', () => {
    const listed = [...readFileSync(join(GUIDES, 'README.md'), 'utf8').matchAll(/\]\((\S+\.md)\)/g)].map(([, name = '']) => name);
    assert.deepEqual(
      listed.toSorted(),
      readdirSync(GUIDES)
        .filter((name) => name !== 'README.md')
        .toSorted(),
    );
  });
});
