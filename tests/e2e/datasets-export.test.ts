// Exports while the dataset is written to, read back by strict readers. Case numbers: docs/decisions/0002-conformance-cases.md.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { FileDescriptor } from '@weft/contract';
import readXlsxFile from 'read-excel-file/node';
import { createReader } from '../../packages/daemon/src/datasets/reader/reader.ts';
import { createDatasetStore } from '../../packages/daemon/src/datasets/store.ts';
import { createDatasetWriter } from '../../packages/daemon/src/datasets/writer.ts';
import { transaction } from '../../packages/daemon/src/db/open.ts';
import type { KernelAgent } from '../conformance/kernel.ts';
import { startKernelAgent } from '../conformance/kernel.ts';
import { parseStrictCsv } from '../strict-csv.ts';

const ROWS = 12_000;
/** Every kind of text that a format has to protect. */
const NASTY = ['plain', 'a,b', 'say "hi"', 'two\r\nlines', '=1+1', ' padded ', '\u{1f4da}', '-5', '', '|`<b>&'];

suite('exports while rows are added', () => {
  let agent: KernelAgent;
  let id: number;
  let next = 0;
  const add = (count: number) => {
    const writer = createDatasetWriter(createDatasetStore(agent.database));
    transaction(agent.database.fast, () => {
      for (const end = next + count; next < end; next++) {
        const body = { n: next, text: NASTY[next % NASTY.length] ?? '' };
        writer.addRecords(id, [{ run_id: 1, key: `k${next}`, created_at: agent.clock.now(), body }]);
      }
    });
  };
  before(async () => {
    agent = await startKernelAgent();
    id = createDatasetWriter(createDatasetStore(agent.database)).ensure({ kind: 'workflow', id: 1 }, 'shelf', 0);
  });
  after(() => agent[Symbol.asyncDispose]());

  /** The export, with a hundred rows added and ten replaced for each of its pieces. */
  async function exportWhileAdding(format: string): Promise<Buffer> {
    const response = await agent.call({ target: `/v1/datasets/${id}/export?format=${format}&spreadsheet_safe=false`, token: agent.token });
    assert.ok(response.body);
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body) {
      pieces.push(piece);
      add(100);
    }
    assert.ok(pieces.length > 1, 'one piece would prove nothing');
    return Buffer.concat(pieces);
  }

  test('attack 6: sixty readers at once are all answered whole', async () => {
    add(200 - Math.min(next, 200));
    const target = `/v1/datasets/${id}/export?format=json`;
    const answers = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const response = await agent.call({ target, token: agent.token });
        return [response.status, ((await response.json()) as unknown[]).length];
      }),
    );
    assert.deepEqual(
      answers,
      Array.from({ length: 60 }, () => [200, next]),
    );
  });

  test('F51 CSV has exactly the rows of one moment, value by value', async () => {
    add(ROWS - next);
    const [head, ...rows] = parseStrictCsv((await exportWhileAdding('csv')).toString());
    assert.deepEqual(head, ['n', 'text']);
    assert.deepEqual(
      rows,
      Array.from({ length: ROWS }, (_, n) => [String(n), NASTY[n % NASTY.length]]),
    );
  });

  test('F51 JSON has exactly the rows of one moment', async () => {
    const count = next;
    const rows = JSON.parse((await exportWhileAdding('json')).toString()) as { n: number }[];
    assert.deepEqual(
      rows.map(({ n }) => n),
      Array.from({ length: count }, (_, n) => n),
    );
  });

  test('F51 a workbook has exactly the rows of one moment, and so has its file', async () => {
    const count = next;
    const { status, body } = await agent.json('POST', '/v1/files/from-data', { dataset_id: id, format: 'xlsx' });
    add(100);
    const file = body as FileDescriptor;
    assert.deepEqual([status, file.name, file.source], [201, 'shelf.xlsx', { kind: 'dataset', id }]);
    const response = await agent.call({ target: `/v1/files/${file.id}/content`, token: agent.token });
    const [sheet] = await readXlsxFile(Buffer.from(await response.arrayBuffer()), { trim: false });
    const [head, ...rows] = sheet?.data ?? [];
    assert.deepEqual(head, ['n', 'text']);
    assert.deepEqual(
      rows,
      Array.from({ length: count }, (_, n) => [n, NASTY[n % NASTY.length] || null]),
    );
  });

  test('F51 an export that nobody reads on loses its snapshot, and says so to who comes back', async () => {
    const reader = createReader(agent.database, { stalledMs: 1 });
    const options = { title: 'shelf', isSafe: true };
    const pieces = reader.export({ datasetId: id, view: 'newest', format: 'csv', options });
    await pieces.next();
    // The write-ahead log can be taken in whole only when no snapshot is held.
    const isFree = () => (agent.database.fast.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }).busy === 0;
    agent.database.fast.exec('PRAGMA busy_timeout = 1');
    while (!isFree()) await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(async () => await pieces.next(), /Nobody read the export/);
    await reader.close();
  });

  test('F51 a caller who leaves in the middle, or whose key dies, ends the export', async () => {
    const gone = new AbortController();
    const response = await agent.call({ target: `/v1/datasets/${id}/export?format=csv`, token: agent.token, signal: gone.signal });
    const reading = response.body?.getReader();
    await reading?.read();
    gone.abort();
    await assert.rejects(async () => {
      for (;;) if ((await reading?.read())?.done) return;
    });
  });

  test('a shared moment holds many exports, and the seventeenth waits its turn', async () => {
    const reader = createReader(agent.database);
    const options = { title: 'shelf', isSafe: true };
    const open = Array.from({ length: 17 }, () => reader.export({ datasetId: id, view: 'all', format: 'jsonl', options }));
    const [last, ...others] = open.toReversed();
    await Promise.all(others.map((pieces) => pieces.next()));
    const seventeenth = last?.next();
    // Its piece comes only when one of the sixteen is given back, also where nothing else happens.
    const early = await Promise.race([seventeenth, reader.schema(id).then(() => 'waits')]);
    assert.equal(early, 'waits');
    await others[0]?.return(undefined);
    assert.equal((await seventeenth)?.done, false);
    await Promise.all(open.map((pieces) => pieces.return(undefined)));
    await reader.close();
  });

  test('attack 6: sixteen exports that nobody reads make room for the seventeenth, and say so to who comes back', async () => {
    const reader = createReader(agent.database, { patienceMs: 1 });
    const options = { title: 'shelf', isSafe: true };
    const open = Array.from({ length: 16 }, () => reader.export({ datasetId: id, view: 'all', format: 'jsonl', options }));
    await Promise.all(open.map((pieces) => pieces.next()));
    const pieces = await Array.fromAsync(reader.export({ datasetId: id, view: 'all', format: 'jsonl', options }));
    assert.equal(Buffer.concat(pieces).toString().split('\n').length - 1, next);
    const ends = await Promise.all(open.map(async (stopped) => await stopped.next().then(() => 'goes on', String)));
    assert.equal(ends.filter((end) => end.includes('Nobody read the export')).length, 1);
    await Promise.all(open.map((stopped) => stopped.return(undefined)));
    await reader.close();
  });

  test('attack 3: rows of megabytes are whole in every format', async () => {
    const writer = createDatasetWriter(createDatasetStore(agent.database));
    const large = writer.ensure({ kind: 'test', id: 99 }, 'large', 0);
    const texts = ['a', '\u{1f4da}"'].map((text) => text.repeat(1_500_000));
    writer.addRecords(
      large,
      texts.map((text, i) => ({ run_id: 1, key: String(i), created_at: 0, body: { text } })),
    );
    const exported = async (query: string) => {
      const response = await agent.call({ target: `/v1/datasets/${large}/${query}`, token: agent.token });
      return await response.text();
    };
    for (const list of ['export', 'records']) {
      assert.deepEqual(parseStrictCsv(await exported(`${list}?format=csv`)), [['text'], ...texts.map((text) => [text])]);
      const html = await exported(`${list}?format=html`);
      assert.ok(html.includes(`<td>${texts[0]}</td>`) && html.includes(`<td>${texts[1]?.replaceAll('"', '&quot;')}</td>`));
    }
    assert.deepEqual(
      JSON.parse(await exported('export?format=json')),
      texts.map((text) => ({ text })),
    );
    const { data } = JSON.parse(await exported('records')) as { data: { data: unknown }[] };
    assert.deepEqual(
      data.map((record) => record.data),
      texts.map((text) => ({ text })),
    );
  });

  for (const [format, begins] of [
    ['csv', /^n,text\r\n0,plain\r\n/],
    ['json', /^\[\n\{"n":0,"text":"plain"\},\n/],
    ['jsonl', /^\{"n":0,"text":"plain"\}\n/],
    ['markdown', /^\| n \| text \|\n/],
    ['html', /^<!doctype html>/],
  ] as const)
    test(`a dataset becomes a file as ${format}`, async () => {
      const { body } = await agent.json('POST', '/v1/files/from-data', { dataset_id: id, format, name: '../mine' });
      const file = body as FileDescriptor;
      assert.equal(file.name, 'mine');
      const response = await agent.call({ target: `/v1/files/${file.id}/content`, token: agent.token });
      assert.match(await response.text(), begins);
    });

  for (const [name, body, status, sentence] of [
    ['an unknown dataset', { dataset_id: 999, format: 'csv' }, 404, /dataset 999/],
    ['a workflow that is not there', { workflow_id: 5, format: 'csv' }, 404, /no workflow \\"5\\"/],
    ['both', { dataset_id: 1, workflow_id: 5, format: 'csv' }, 400, /either/],
    ['neither', { format: 'csv' }, 400, /either/],
    ['an unknown format', { dataset_id: 1, format: 'pdf' }, 400, /format/],
    ['an empty name', { dataset_id: 1, format: 'csv', name: '' }, 400, /name/],
  ] as const)
    test(`a file from ${name} is refused and leaves nothing behind`, async () => {
      const answer = await agent.json('POST', '/v1/files/from-data', body);
      assert.equal(answer.status, status);
      assert.match(JSON.stringify(answer.body), sentence);
      assert.deepEqual(readdirSync(join(agent.home, 'blobs', 'drafts')), []);
    });

  test('Parquet is written where DuckDB is installed, and elsewhere refused with the way to install it', async () => {
    const { status, body } = await agent.json('POST', '/v1/files/from-data', { dataset_id: id, format: 'parquet' });
    if (status === 201) {
      const response = await agent.call({ target: `/v1/files/${(body as FileDescriptor).id}/content`, token: agent.token });
      assert.equal(
        Buffer.from(await response.arrayBuffer())
          .subarray(0, 4)
          .toString(),
        'PAR1',
      );
    } else {
      assert.equal(status, 400);
      assert.match((body as { error: string }).error, /npm install @duckdb\/node-api/);
    }
    assert.ok(!existsSync(join(agent.home, 'cache', 'scratch')) || readdirSync(join(agent.home, 'cache', 'scratch')).length === 0);
  });
});

test('the strict reader refuses what RFC 4180 does not allow', () => {
  for (const text of ['a\n', 'a', 'a"b\r\n', '"a"b\r\n', '"a\r\n', 'a,b\r\nc\r\n']) assert.throws(() => parseStrictCsv(text), text);
  assert.deepEqual(parseStrictCsv('a,"b""\r\n"\r\n,\r\n'), [
    ['a', 'b"\r\n'],
    ['', ''],
  ]);
});
