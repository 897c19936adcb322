// `weft crawl` as its user meets it: a real process, a real agent, pages on loopback.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { startProgram } from '../conformance/program.ts';
import { startGeneratedSite } from '../sites/generated-site.ts';
import type { GeneratedSite } from '../sites/generated-site.ts';
import { CHILD_ENV } from '../child-env.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type Weft = (args: readonly string[], onTalk?: (said: string, end: (signal: NodeJS.Signals) => void) => void) => Promise<Outcome>;

async function onSite(body: (weft: Weft, site: GeneratedSite, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-crawl-cli-'));
  const site = await startGeneratedSite(30);
  try {
    await using program = await startProgram();
    await program.ready();
    const env = { ...CHILD_ENV, SERVICE_HOME: program.home, SERVICE_PORT: String(program.port) };
    await body(
      async (args, onTalk) => {
        const child = spawn(process.execPath, [WEFT, 'crawl', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
        child.stderr.on('data', (said: Buffer) => onTalk?.(String(said), (signal) => void child.kill(signal)));
        const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
        const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
        return { code, out, err };
      },
      site,
      folder,
    );
  } finally {
    await site.close();
    rmSync(folder, { recursive: true });
  }
}

suite('weft crawl', () => {
  test('waits, writes the pages as JSON lines and prints one JSON document', () =>
    onSite(async (weft, site, folder) => {
      const file = join(folder, 'pages.jsonl');
      const { code, out, err } = await weft([
        site.start,
        '--wait',
        '--json',
        '--formats',
        'text',
        '--exclude',
        '/site/page-1.html',
        '-o',
        file,
      ]);
      assert.equal(code, 0, err);
      const crawl = JSON.parse(out) as { counts: { fetched: number }; dataset_id: number; reasons: { reason?: string }[] };
      assert.equal(crawl.counts.fetched, 29);
      assert.ok(crawl.dataset_id > 0);
      assert.ok(crawl.reasons.some(({ reason }) => reason === 'excluded'));
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      assert.equal(lines.length, 29);
      assert.match((JSON.parse(lines[0] ?? '') as { text: string }).text, /page number 0 of 30/);
    }));

  test('says what a file without an ending holds, and how a folder is named', () =>
    onSite(async (weft, site, folder) => {
      const bare = await weft([site.start, '--limit', '1', '-o', join(folder, 'pages')]);
      assert.match(bare.err, /wrote 1 page to \S+pages, one JSON line each; \S+pages\/ with its slash is a folder/);
      assert.equal(readFileSync(join(folder, 'pages'), 'utf8').trim().split('\n').length, 1);
    }));

  test('begins no crawl whose pages could not be written', () =>
    onSite(async (weft, site, folder) => {
      const { code, err } = await weft([site.start, '-o', join(folder, 'absent', 'pages.jsonl')]);
      assert.equal(code, 2);
      assert.match(err, /There is no folder/);
      assert.deepEqual((JSON.parse((await weft(['list', '--json'])).out) as { data: unknown[] }).data, []);
    }));

  test('leaves the crawl to the agent at Ctrl-C and SIGTERM, and says how to follow and to end it', () =>
    onSite(async (weft, site) => {
      const stopped = async (signal: NodeJS.Signals) =>
        await weft([site.start, '--delay', '600000'], (said, end) => {
          if (/weft: crawl \d of/.test(said)) end(signal);
        });
      const { code, err } = await stopped('SIGINT');
      assert.equal(code, 130);
      assert.deepEqual((({ code: again, err: told }) => [again, /Crawl 2 goes on in the agent/.test(told)])(await stopped('SIGTERM')), [
        130,
        true,
      ]);
      assert.match(err, /Crawl 1 goes on in the agent\. To end it: weft crawl cancel 1\n.*\n.*weft crawl show 1 --follow/);
      assert.match((await weft(['list'])).out, /^1 +(running|queued)/m);
      assert.equal((await weft(['cancel', '1'])).code, 0);
    }));

  test('saves a crawl, runs it by its slug, and takes a recent run instead', () =>
    onSite(async (weft, site) => {
      assert.equal((await weft(['save', site.start, '--slug', 'shelf', '--limit', '3', '--formats', '-'])).code, 0);
      assert.match((await weft(['run', 'shelf'])).out, /^pages +3 fetched, 0 reused$/m);
      assert.match((await weft(['run', 'shelf', '--max-age', '600'])).err, /recent enough/);
      assert.equal((JSON.parse((await weft(['run', 'shelf', '--max-age', '600', '--json'])).out) as { reused?: boolean }).reused, true);
      const ledger = await weft(['show', '1', '--ledger']);
      assert.match(ledger.out, /^\{"url":"[^"]+\/go\/start","outcome":"skipped","reason":"redirect"/);
    }));

  test('lists saved crawls, forgets one, and names the list where one is not known', () =>
    onSite(async (weft, site) => {
      assert.equal((await weft(['save', site.start, '--slug', 'shelf', '--limit', '3'])).code, 0);
      assert.match((await weft(['saved'])).out, /^shelf +- +- +1 +http/m);
      assert.match((await weft(['forget', 'shelf'])).out, /Saved crawl shelf is deleted; its runs and its dataset stay\./);
      assert.deepEqual((JSON.parse((await weft(['saved', '--json'])).out) as { data: unknown[] }).data, []);
      for (const words of [
        ['forget', 'shelf'],
        ['run', 'shelf'],
      ]) {
        const { code, err } = await weft(words);
        assert.equal(code, 5);
        assert.match(err, /weft crawl saved/);
      }
    }));

  test('explains what it would do with addresses', () =>
    onSite(async (weft, site) => {
      const { out } = await weft([
        '--explain',
        `${site.origin}/site/`,
        `${site.origin}/site/a`,
        `${site.origin}/site/private/b`,
        'https://b.test/',
      ]);
      const rows = out.trimEnd().split('\n').slice(1);
      assert.deepEqual(
        rows.map((row) => row.split(/ {2,}/).slice(0, 2)),
        [
          ['fetch', rows[0]?.split(/ {2,}/)[1]],
          ['skip', 'robots'],
          ['skip', 'off_site'],
        ],
      );
      assert.match(rows[1] ?? '', /robots\.txt line 2: Disallow: \/site\/private\//);
    }));
});
