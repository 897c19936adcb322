// The commands for datasets and files as their user meets them: real processes against a real agent.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import type { Dataset, DatasetDetail, FileDescriptor, SearchHit } from '@weft/contract';
import readXlsxFile from 'read-excel-file/node';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { PAGE_URL, twoPages } from '../conformance/ways.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');

suite('weft dataset, weft file', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  before(async () => {
    agent = await startTestAgent({ fetcher: twoPages() });
    await agent.client.crawl.start({ url: PAGE_URL, limit: 1, wait: true, formats: ['markdown'] });
  });
  after(() => agent[Symbol.asyncDispose]());

  function start(...args: string[]) {
    const env = { ...process.env, HOME: agent.home, SERVICE_HOME: agent.home, SERVICE_API_URL: agent.baseUrl, SERVICE_TOKEN: agent.token };
    return spawn(process.execPath, [WEFT, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  async function weft(...args: string[]) {
    const child = start(...args);
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { out, err, code: await ended };
  }

  test('a dataset is listed, shown, searched and exported', async () => {
    const { data } = JSON.parse((await weft('dataset', 'list', '--json')).out) as { data: Dataset[] };
    assert.deepEqual(
      data.map(({ name, records }) => [name, records]),
      [['pages', 1]],
    );
    assert.match((await weft('dataset', 'list')).out, /^ID +NAME +KIND .*\n1 +pages +pages +1 /);
    assert.equal((JSON.parse((await weft('dataset', 'show', '1', '--json')).out) as DatasetDetail).schema.sampled, 1);
    assert.match((await weft('dataset', 'show', '1')).out, /markdown +string +0 % +# Shelf/);
    const hits = JSON.parse((await weft('dataset', 'search', 'three books', '--json')).out) as { data: SearchHit[] };
    assert.equal(hits.data[0]?.url, PAGE_URL);
    assert.match((await weft('dataset', 'search', 'three books', '--dataset', '1')).out, /Three books stand on it/);
    assert.match((await weft('dataset', 'search', 'absent')).out, /No record holds all of this: absent/);
    const csv = await weft('dataset', 'export', '1', '-f', 'csv');
    assert.match(csv.out, /^url,requested_url,/);
    assert.equal(csv.err, '');
  });

  test('an export goes whole into a file, in any format, and leaves nothing at the agent', async () => {
    const file = join(agent.home, 'out.xlsx');
    const { code, out } = await weft('dataset', 'export', '1', '-f', 'xlsx', '-o', file, '--json');
    assert.deepEqual([code, (JSON.parse(out) as { file: string }).file], [0, file]);
    assert.equal((await readXlsxFile(readFileSync(file)))[0]?.data[0]?.[0], 'url');
    assert.equal((await agent.client.files.list()).count, 0);
  });

  test('several words are searched for without quotes', async () => {
    const { out } = await weft('dataset', 'search', 'three', 'books');
    assert.match(out, /Three books stand on it/);
  });

  test('a reader that has seen enough is no failure, and leaves no file at the agent', async () => {
    for (const format of ['csv', 'xlsx', 'jsonl']) {
      const child = start('dataset', 'export', '1', '-f', format);
      child.stdout.destroy();
      const err = text(child.stderr);
      assert.deepEqual([await once(child, 'exit').then(([code]) => code as number), await err], [0, ''], format);
      assert.equal((await agent.client.files.list()).count, 0, format);
    }
  });

  test('what is wrong with the place of an export is said before anything is read', async () => {
    const [absent, folder] = [join(agent.home, 'absent', 'out.csv'), agent.home];
    for (const [file, sentence] of [
      [absent, /There is no folder/],
      [folder, /is a folder/],
    ] as const) {
      const { code, err } = await weft('dataset', 'export', '1', '-f', 'csv', '-o', file);
      assert.equal(code, 2);
      assert.match(err, sentence);
      assert.ok(!existsSync(`${file}.part`));
    }
    const { code, err } = await weft('dataset', 'export', '1', '-f', 'csv', '--json');
    assert.equal(code, 2);
    assert.match(err + (await weft('dataset', 'export', '1', '-f', 'csv', '--json')).out, /--output/);
  });

  test('a pipe, a device or a link is written to, not replaced', { skip: process.platform === 'win32' }, async () => {
    const [pipe, link, target] = ['pipe', 'link.json', 'target.json'].map((name) => join(agent.home, name)) as [string, string, string];
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
    const read = text(createReadStream(pipe));
    assert.equal((await weft('dataset', 'export', '1', '-o', pipe)).code, 0);
    assert.equal((JSON.parse(await read) as unknown[]).length, 1);
    assert.ok(lstatSync(pipe).isFIFO());
    writeFileSync(target, 'before');
    symlinkSync(target, link);
    await weft('dataset', 'export', '1', '-o', link);
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.match(readFileSync(target, 'utf8'), /^\[\n\{/);
  });

  test('an export is of one run, or of all that was kept', async () => {
    assert.match((await weft('dataset', 'export', '1', '--run', '1')).out, /"markdown"/);
    assert.equal((await weft('dataset', 'export', '1', '--run', '77')).out, '[]\n');
    assert.equal((await weft('dataset', 'export', '1', '--run', 'x')).code, 2);
    assert.equal((await weft('dataset', 'export', '1', '--run', '1', '--all')).code, 2);
  });

  test('help shows how a command is used, and a mistake points to it', async () => {
    assert.match((await weft('dataset', 'export', '--help')).out, /Examples:\n +weft dataset export 1 /);
    assert.match((await weft('dataset', 'export')).err, /Try: weft dataset export --help/);
    assert.match((await weft('dataset', 'show', '99')).err, /not_found \(404\)\nTry: +weft dataset list/);
    assert.match((await weft('file', 'get', 'file_000000000000000000000000')).err, /Try: +weft file list/);
    assert.match((await weft('file', 'put', join(agent.home, 'absent'))).err, /absent can't be read: there is no such file\./);
    assert.match((await weft('file', 'put', agent.home)).err, /can't be read: it is a folder\./);
    assert.match((await weft('dataset', 'search', 'x'.repeat(100_000))).err, /at most 1000 characters/);
    assert.match((await weft('file', 'list')).out, /^There are no files; /);
  });

  test('what does not exist is exit 5, what is no number exit 2, and no file appears', async () => {
    const file = join(agent.home, 'none.csv');
    assert.equal((await weft('dataset', 'export', '99', '-o', file)).code, 5);
    assert.equal((await weft('dataset', 'show', 'x')).code, 2);
    assert.equal((await weft('dataset', 'search', 'x', '--limit', '0')).code, 2);
    assert.equal((await weft('file', 'put', join(agent.home, 'absent'))).code, 2);
    assert.equal((await weft('file', 'put', agent.home)).code, 2);
    assert.ok(!existsSync(file) && !existsSync(`${file}.part`));
  });

  test('a file is put, listed, fetched and removed', async () => {
    const path = join(agent.home, 'shelf \u{1f4da}.txt');
    writeFileSync(path, 'three books');
    assert.equal(
      (JSON.parse((await weft('file', 'put', path, '--type', 'text/x-shelf', '--json')).out) as FileDescriptor).content_type,
      'text/x-shelf',
    );
    const put = await weft('file', 'put', path, '--json');
    const { id, name, content_type } = JSON.parse(put.out) as FileDescriptor;
    assert.deepEqual([name, content_type], ['shelf \u{1f4da}.txt', 'text/plain']);
    assert.match((await weft('file', 'list')).out, new RegExp(id));
    assert.equal((await weft('file', 'get', id)).out, 'three books');
    const copy = join(agent.home, 'copy.txt');
    await weft('file', 'get', id, '-o', copy);
    assert.equal(readFileSync(copy, 'utf8'), 'three books');
    assert.match((await weft('file', 'rm', id)).out, /deleted/);
    assert.equal((await weft('file', 'get', id)).code, 5);
  });
});
