import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { testDatabase } from '../../../../tests/cloud.ts';
import type { TestDatabase } from '../../../../tests/cloud.ts';
import { openDatabase } from './database.ts';
import type { Database } from './queries.ts';

suite('statements that are asked often', () => {
  let data: TestDatabase;
  let database: Database;
  before(async () => {
    data = await testDatabase();
    database = await openDatabase(data.url, 1);
    await database.rows('CREATE TABLE thing (id int PRIMARY KEY, name text)');
    await database.rows('INSERT INTO thing VALUES (1, $1)', ['a']);
  });
  after(async () => {
    await database.close();
    await data[Symbol.asyncDispose]();
  });

  const oftenAsked = async (text: string) => {
    for (let i = 0; i < 30; i++) assert.equal((await database.rows<{ name: string }>(text, [1]))[0]?.name, 'a');
  };
  const prepared = async () =>
    (await database.rows<{ statement: string }>('SELECT statement FROM pg_prepared_statements')).map(({ statement }) => statement);

  test('are prepared, but for those whose answer a migration changes', async () => {
    await oftenAsked('SELECT name FROM thing WHERE id = $1');
    await oftenAsked('SELECT * FROM thing WHERE id = $1');
    assert.deepEqual(await prepared(), ['SELECT name FROM thing WHERE id = $1']);
    await database.rows('ALTER TABLE thing ADD COLUMN more text');
    await oftenAsked('SELECT name FROM thing WHERE id = $1');
    await oftenAsked('SELECT * FROM thing WHERE id = $1');
  });

  test('are planned once for work that finds its rows by indexes', async () => {
    const text = 'SELECT name, 1 AS planned FROM thing WHERE id = $1';
    await oftenAsked(text);
    const [, planned] = await plans(text);
    await database.rows('GRANT SELECT ON thing TO weft_app');
    await database.as('acct_one', () => oftenAsked(text), { byIndexAlone: true });
    const [generic, custom] = await plans(text);
    assert.deepEqual([generic > 20, custom], [true, planned]);
  });

  const plans = async (text: string): Promise<readonly [number, number]> => {
    const [row] = await database.rows<{ generic_plans: number; custom_plans: number }>(
      'SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement = $1',
      [text],
    );
    return [row?.generic_plans ?? 0, row?.custom_plans ?? 0];
  };

  test('hold no NUL, which PostgreSQL has no text for', async () => {
    assert.deepEqual(await database.rows('SELECT $1::text AS said', ['a\0b']), [{ said: 'a\u{fffd}b' }]);
  });
});
