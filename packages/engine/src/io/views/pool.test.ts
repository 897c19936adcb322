import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiffRequest } from '../../diff/diff.ts';
import { TEXT_LENGTH_MAX } from '../../diff/diff.ts';
import { PageError } from '../../errors.ts';
import type { ViewRequest } from '../../page/views.ts';
import { createViewPool } from './pool.ts';

const SIGNAL = new AbortController().signal;
const request = (html: string): ViewRequest => ({
  source: { url: 'https://page.invalid/', body: new TextEncoder().encode(html), contentType: 'text/html' },
  formats: ['markdown'],
  onlyMainContent: false,
});

test('reads more pages than it has workers, each with its own result', async () => {
  const pool = createViewPool({ patienceMs: 0, workersMax: 2 });
  const numbers = Array.from({ length: 12 }, (_, i) => i);
  const done = await Promise.all(numbers.map((i) => pool.run('views', request(`<p>page ${i}`), SIGNAL)));
  await pool.close();
  assert.deepEqual(
    done.map(({ result }) => result.markdown),
    numbers.map((i) => `page ${i}\n`),
  );
});

test('a page that takes too long is given up', async () => {
  const pool = createViewPool({ pageMs: 1, workersMax: 1 });
  await assert.rejects(pool.run('views', request('<p>slow'.repeat(100_000)), SIGNAL), (error) => (error as PageError).code === 'timeout');
  await pool.close();
});

test('the time of a page begins when its reader has loaded what it reads with', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const pool = createViewPool({ workersMax: 1 });
  const first = pool.run('views', request('<p>first'), SIGNAL);
  // No thread has started within one turn of the event loop, whatever the machine.
  t.mock.timers.tick(3_600_000);
  assert.equal((await first).result.markdown, 'first\n');
  t.mock.timers.reset();
  await pool.close();
});

test('what is aborted while it waits is never read', async () => {
  const pool = createViewPool({ workersMax: 1 });
  const first = pool.run('views', request('<p>first'), SIGNAL);
  const stopped = new AbortController();
  const second = pool.run('views', request('<p>second'), stopped.signal);
  stopped.abort();
  await assert.rejects(second, (error) => (error as PageError).code === 'aborted');
  assert.equal((await first).result.markdown, 'first\n');
  await pool.close();
});

const texts = (old: string, fresh: string): DiffRequest => ({
  comparison: { kind: 'text', unit: 'word', old, new: fresh },
  render: ['html'],
});

test('compares in a worker, and says what it was doing when its time is over', async () => {
  const pool = createViewPool({ workersMax: 1 });
  const { result } = await pool.run('diff', texts('a b', 'a c'), SIGNAL);
  assert.deepEqual(result.rendered, { html: '<pre>\na <del>b</del><ins>c</ins>\n</pre>' });
  const tooLong = pool.run('diff', texts('x'.repeat(TEXT_LENGTH_MAX + 1), ''), SIGNAL);
  await assert.rejects(tooLong, { code: 'page_too_complex', message: /^The old text has 2000001 characters; at most 2000000 / });
  await pool.close();
  const hurried = createViewPool({ pageMs: 1, workersMax: 1 });
  await assert.rejects(hurried.run('diff', texts('a b '.repeat(50_000), 'b a '.repeat(50_000)), SIGNAL), {
    code: 'timeout',
    message: 'Comparing took longer than 1 ms and was stopped.',
  });
  await hurried.close();
});

test('a comparison that is cancelled is stopped wherever it is', async () => {
  const pool = createViewPool({ workersMax: 1 });
  await pool.run('diff', texts('a', 'b'), SIGNAL);
  const stopped = new AbortController();
  const words = (seed: number) => Array.from({ length: 100_000 }, (_, i) => (i * seed) % 99_991).join(' ');
  const long = pool.run('diff', texts(words(7), words(11)), stopped.signal);
  stopped.abort();
  await assert.rejects(long, { code: 'aborted' });
  await pool.close();
});

test('a closed pool refuses pages and gives up those it has', async () => {
  const pool = createViewPool();
  const waiting = pool.run('views', request('<p>waiting'), SIGNAL);
  const refused = assert.rejects(waiting, PageError);
  await pool.close();
  await refused;
  await assert.rejects(pool.run('views', request('<p>late'), SIGNAL), PageError);
});

for (const workersMax of [1, 2])
  test(`attack 9: what one caller asks for in heaps keeps no other waiting, with ${workersMax} workers`, async () => {
    const pool = createViewPool({ patienceMs: 0, workersMax });
    // All workers have started: one that starts is slower than many pages.
    await Promise.all(Array.from({ length: 20 }, () => pool.run('views', request('<p>slow'.repeat(2_000)), SIGNAL)));
    const ended: string[] = [];
    const ask = (caller: string, html: string) => pool.run('views', request(html), SIGNAL, caller).then(() => ended.push(caller));
    const greedy = Array.from({ length: 8 }, () => ask('greedy', '<p>slow'.repeat(2_000)));
    await Promise.all([...greedy, ask('other', '<p>quick')]);
    await pool.close();
    assert.ok(ended.indexOf('other') <= 1, ended.join(' '));
  });
