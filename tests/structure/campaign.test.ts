import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCampaign } from '../../scripts/campaign.ts';

const folder = mkdtempSync(join(tmpdir(), 'weft-campaigns-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'count.ts'), 'export const campaign = async ({ rounds, seed, log }) => log(`${rounds} rounds from ${seed}`);');
writeFileSync(join(folder, 'break.ts'), 'export const campaign = async () => { throw new Error("round 3 lost a row"); };');

test('hands rounds and seed to the campaign and says how to repeat it', async () => {
  const { code, lines } = await run('count', '--rounds', '7', '--seed', '11');
  assert.equal(code, 0);
  assert.deepEqual(lines, ['npm run campaign -- count --rounds 7 --seed 11', '7 rounds from 11', 'count held for 7 rounds with seed 11']);
});

test('chooses a seed and prints it', async () => {
  const { lines } = await run('count', '--rounds', '7');
  const seed = /--seed (\d+)$/.exec(lines[0] ?? '')?.[1];
  assert.equal(lines[1], `7 rounds from ${seed}`);
});

test('a broken promise answers 1 with its seed', async () => {
  const { code, lines } = await run('break', '--seed', '5');
  assert.equal(code, 1);
  assert.match(lines.at(-1) ?? '', /^break broke with seed 5: Error: round 3 lost a row/);
});

for (const args of [
  [],
  ['gone'],
  ['count', 'break'],
  ['count', '--rounds', '0'],
  ['count', '--rounds', 'x'],
  ['count', '--seed=-1'],
  ['count', '--x'],
]) {
  test(`lists the names for "${args.join(' ')}"`, async () => {
    const { code, lines } = await run(...args);
    assert.equal(code, 2);
    assert.match(lines.join('\n'), /is one of: break, count$/);
  });
}

async function run(...args: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  return { code: await runCampaign(folder, args, (line) => lines.push(line)), lines };
}
