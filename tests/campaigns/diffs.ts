// Pairs of random texts: GNU patch, which nobody here wrote, makes the new text of the old one with our patch.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CampaignOptions } from '../../scripts/campaign.ts';
import { unifiedDiff } from '../../packages/engine/src/diff/unified.ts';
import { mulberry32 } from '../conformance/fuzz.ts';

/** Where there is no `patch`, no round of the tests is run. */
export const roundsInTests = 40;
export const needs = spawnSync('patch', ['--version']).status === 0 ? undefined : 'GNU patch (apt-get install patch)';

const LINES_MAX = 60;
const WORDS = [
  '',
  ' ',
  'kowari',
  'shelf',
  '+',
  '-',
  '@@ -1 +1 @@',
  '--- a',
  '\\ No newline',
  'price 19.99',
  '\u2028',
  'naïve',
  '日本',
  '\t',
  '\u0000',
];

/** One round is one pair. */
export async function campaign({ rounds, seed, log }: CampaignOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-diffs-'));
  const random = mulberry32(seed);
  let changed = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      const old = randomText(random);
      const fresh = random() < 0.8 ? edited(old, random) : randomText(random);
      const { patch } = unifiedDiff(old, fresh, { context: Math.floor(random() * 5) });
      if (patch !== '') changed++;
      assert.equal(applied(folder, old, patch), fresh, JSON.stringify({ round, old, fresh, patch }));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  log(`${rounds} pairs, ${changed} of them different: patch made the new text of the old one`);
}

/** What `patch` makes of `old`. */
function applied(folder: string, old: string, patch: string): string {
  const [path, made] = [join(folder, 'old'), join(folder, 'made')];
  writeFileSync(path, old);
  if (patch === '') return old;
  const { status, stderr, stdout } = spawnSync('patch', ['--fuzz=0', '-s', '-o', made, path], { input: patch, encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}\n${patch}`);
  return readFileSync(made, 'utf8');
}

function randomText(random: () => number): string {
  const count = Math.floor(random() ** 2 * LINES_MAX);
  return brokenAtEnd(Array.from({ length: count }, () => randomLine(random)).join(''), random);
}

function randomLine(random: () => number): string {
  const words = Array.from({ length: Math.floor(random() * 3) }, () => WORDS[Math.floor(random() * WORDS.length)]);
  return `${words.join(' ')}${random() < 0.2 ? '\r\n' : '\n'}`;
}

function edited(text: string, random: () => number): string {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const share = random() * 0.4;
  const kept = lines.flatMap((line) => {
    if (random() >= share) return [line];
    const kind = random();
    if (kind < 0.4) return [];
    return kind < 0.7 ? [randomLine(random)] : [line, randomLine(random)];
  });
  return brokenAtEnd(kept.join(''), random);
}

function brokenAtEnd(text: string, random: () => number): string {
  return random() < 0.3 ? text.replace(/\r?\n$/, '') : text;
}
