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

suite('weft data', { timeout: 120_000 }, () => {
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

  test('a deletion needs a choice, counts first, and deletes', async () => {
    const { code, err } = await weft('data', 'delete', 'prices');
    assert.deepEqual([code, /--everything/.test(err)], [2, true]);
    assert.match((await weft('data', 'delete', 'prices', '-w', 'price<10', '--dry-run')).out, /^1 record would be deleted/);
    assert.match((await weft('data', 'delete', 'prices', '-w', 'price<10')).out, /^1 record deleted/);
    assert.match((await weft('data', 'delete', 'prices', '--everything')).out, /^4 records deleted/);
    assert.equal((await weft('data', 'show', 'none')).code, EXIT.notFound);
  });
});
