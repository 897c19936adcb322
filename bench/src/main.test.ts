import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runSuites } from './main.ts';
import { formatRows } from './row.ts';

const folder = mkdtempSync(join(tmpdir(), 'weft-bench-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'quick.ts'), "export const bench = async () => [{ name: 'count', value: 1, unit: 'ms' }];");
writeFileSync(
  join(folder, 'slow.ts'),
  "export const isSlow = true; export const bench = async () => [{ name: 'long', value: 2, unit: 'ms' }];",
);

test('prints an aligned table and computes the ratio', () => {
  const rows = [
    { name: 'links', value: 1234.5, unit: 'pages/s', rival: 'other', rivalValue: 617.25, target: '>= 1.5x' },
    { name: 'memory of a crawl', value: 40.123, unit: 'MB' },
  ];
  assert.equal(
    formatRows(rows),
    [
      'name               value  unit     rival  rival value  ratio  target',
      'links              1,235  pages/s  other          617     2x  >= 1.5x',
      'memory of a crawl   40.1  MB',
    ].join('\n'),
  );
});

test('runs the quick suites and says how to run a slow one', async () => {
  const { code, text } = await run();
  assert.equal(code, 0);
  assert.match(text, /^quick\nname .*\ncount .*1 +ms/);
  assert.match(text, /slow: takes minutes, npm run bench -- slow/);
});

test('runs a slow suite that is named', async () => {
  assert.match((await run('slow')).text, /long .*2 +ms/);
});

test('lists the names when one is unknown, and runs nothing', async () => {
  const { code, text } = await run('quick', 'gone');
  assert.equal(code, 2);
  assert.match(text, /one of: quick, slow$/);
  assert.doesNotMatch(text, /count/);
});

async function run(...names: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  return { code: await runSuites(folder, names, (line) => lines.push(line)), text: lines.join('\n') };
}
