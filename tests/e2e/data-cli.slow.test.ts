// The commands for the data of workflows as their user types them: a real agent, and rows that runs brought.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import readXlsxFile from 'read-excel-file/node';
import { EXIT } from '../../packages/cli/src/exit.ts';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import { startTypedLines } from './typed-lines.ts';
import type { TypedLines } from './typed-lines.ts';

const SHELF = [
  { title: 'Numbats', price: 10 },
  { title: 'Quolls', price: 9.5, note: '=1+1' },
  { title: 'Bilbies', price: 12 },
];

suite('weft data', { timeout: 600_000 }, () => {
  let agent: TestAgent;
  let lines: TypedLines;
  before(async () => {
    agent = await startTestAgent();
    lines = startTypedLines(agent);
    const emit = (rows: readonly object[]) => [{ id: 'rows', type: 'emit' as const, rows: [...rows] }];
    const { id } = await agent.client.workflows.create({ name: 'Prices', steps: emit(SHELF.slice(0, 2)) });
    await agent.client.workflows.run({ id, wait: true });
    await agent.client.workflows.update({ id, steps: emit(SHELF.with(0, { title: 'Numbats', price: 11 })) });
    const run = await agent.client.workflows.run({ id, wait: true });
    assert.deepEqual([run.status, run.rows_extracted], ['succeeded', 3]);
  });
  after(async () => {
    await lines[Symbol.asyncDispose]();
    await agent[Symbol.asyncDispose]();
  });

  const weft = (...args: string[]) => lines.run(...args);

  test('data is listed, shown with conditions and an order, and described by column', async () => {
    assert.match((await weft('data', 'list')).out, /^ID +SLUG +ROWS +RUNS .*\n1 +prices +3 +2 .*title, price, note/);
    const shown = await weft('data', 'show', 'prices', '-w', 'price>10', '-w', 'title~b', '--sort', 'price', '--desc');
    assert.match(shown.out, /^title +price +note\nBilbies +12 *\nNumbats +11 *\n\n2 of 2 rows$/m, shown.err);
    assert.match((await weft('data', 'show', '1', '-w', '!note', '--limit', '1')).out, /1 of 2 rows; go on with --cursor /);
    assert.match(
      (await weft('data', 'facets', 'prices')).out,
      /\nprice +integer, number +3 +3 +9\.5 +12 +9\.5 \(1\), 11 \(1\), 12 \(1\)\n/,
    );
  });

  test('what changed since the run before is told', async () => {
    const { out } = await weft('data', 'diff', 'prices');
    assert.match(out, /^Run 1 to run 2: 1 new, 0 gone, 1 changed, 1 equal\n~ 1 {2}price: 10 -> 11\n\+ 3 {2}title: Bilbies, price: 12$/m);
    assert.match((await weft('data', 'runs', 'prices')).out, /\n2 +3 +succeeded .* yes\n1 +2 +succeeded /);
  });

  test('an export takes conditions, and a workbook goes into a file', async () => {
    assert.equal((await weft('data', 'export', 'prices', '-w', 'note')).out, "title,price,note\r\nQuolls,9.5,'=1+1\r\n");
    const file = join(agent.home, 'prices.xlsx');
    assert.equal((await weft('data', 'export', 'prices', '-f', 'xlsx', '-o', file)).code, 0);
    assert.deepEqual((await readXlsxFile(readFileSync(file)))[0]?.data[0], ['title', 'price', 'note']);
  });

  test('the ending of a file says how it is written, and -f says otherwise', async () => {
    const { id } = await agent.client.workflows.create({ name: 'Shelf', steps: [{ id: 'rows', type: 'emit', rows: SHELF }] });
    const { dataset_id: dataset } = await agent.client.workflows.run({ id, wait: true });
    const from: Readonly<Record<string, readonly string[]>> = {
      'data export': ['data', 'export', 'shelf'],
      'dataset export': ['dataset', 'export', String(dataset)],
      run: ['run', 'shelf'],
    };
    for (const [name, words] of Object.entries(from)) {
      const written = async (ending: string, ...more: string[]) => {
        const file = join(agent.home, `${words[0]}.${ending}`);
        const { code, err } = await weft(...words, '-o', file, ...more);
        assert.equal(code, 0, `${name} ${ending}: ${err}`);
        return readFileSync(file);
      };
      assert.match((await written('csv')).toString(), /^title,price,note\r\nNumbats,10,/, name);
      assert.deepEqual((await readXlsxFile(await written('XLSX')))[0]?.data[0], ['title', 'price', 'note'], name);
      assert.equal((JSON.parse((await written('json')).toString()) as readonly object[]).length, 3, name);
      assert.match((await written('jsonl')).toString(), /^\{"title":"Numbats",.*\}\n\{/, name);
      assert.match((await written('md')).toString(), /\| Numbats \|/, name);
      assert.match((await written('csv', '-f', 'jsonl')).toString(), /^\{"title":"Numbats"/, name);
    }
    await agent.client.workflows.delete({ id });
  });

  test('the rows of a run go into a pipe, and a part of them is said to be one', async () => {
    const { id } = await agent.client.workflows.create({
      name: 'Many',
      steps: [{ id: 'rows', type: 'emit', rows: Array.from({ length: 23 }, (_, n) => ({ n })) }],
    });
    const piped = await weft('run', 'many', '-o', '-');
    assert.deepEqual(piped.out, Array.from({ length: 23 }, (_, n) => `{"n":${n}}\n`).join(''));
    assert.match(piped.err, /^rows +23$/m);
    const { out, err } = await weft('run', 'many');
    assert.match(out, /"n": 19\n/);
    assert.match(err, /weft: 20 of 23 rows; all of them: weft run many -o rows\.csv, or weft data show many$/m);
    await agent.client.workflows.delete({ id });
  });

  test('a column that no row has is told from rows that do not match', async () => {
    assert.match((await weft('data', 'show', 'prices', '-w', 'titel~b')).err, /weft: no row has titel; the columns are title, price, note/);
    assert.equal((await weft('data', 'show', 'prices', '-w', 'title~zebra')).err, '');
  });

  test('a deletion needs a choice, counts first, and deletes', async () => {
    const { code, err } = await weft('data', 'delete', 'prices');
    assert.deepEqual([code, /--everything/.test(err)], [2, true]);
    assert.match((await weft('data', 'delete', 'prices', '-w', 'price<10', '--dry-run')).out, /^1 record would be deleted/);
    assert.match((await weft('data', 'delete', 'prices', '-w', 'price<10')).out, /^1 record deleted/);
    assert.match((await weft('data', 'delete', 'prices', '--everything')).out, /^4 records deleted/);
    assert.equal((await weft('data', 'show', 'none')).code, EXIT.notFound);
  });
});
