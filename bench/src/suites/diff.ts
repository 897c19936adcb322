// What comparing two readings costs: texts beside `diff`, JSON beside jsondiffpatch and json-diff-ts; equal work, in turns, as CPU.
import assert from 'node:assert/strict';
import { diffLines, diffWordsWithSpace } from 'diff';
import { diff as jsonDiffTs } from 'json-diff-ts';
import { create } from 'jsondiffpatch';
import { diffJson } from '../../../packages/engine/src/diff/json.ts';
import { diffText } from '../../../packages/engine/src/diff/text.ts';
import { mulberry32 } from '../../../tests/conformance/fuzz.ts';
import { compareCpuMs } from '../measure.ts';
import type { BenchOptions, BenchRow } from '../row.ts';

const SEED = 11;
const VOCABULARY = 5000;
const ROUNDS = 5;

/** With --full also 5,000 lines that all differ, for which `diff` takes a quarter of a minute each time. */
export async function bench({ full }: BenchOptions): Promise<BenchRow[]> {
  const random = mulberry32(SEED);
  const page = Array.from({ length: 2000 }, () => sentence(random));
  const edited = page.map((line, i) => (i % 50 === 0 ? sentence(random) : line));
  const [other, far] = [100, full ? 5000 : 500].map((lines) => Array.from({ length: lines }, () => sentence(random)));
  const catalogue = Array.from({ length: 1000 }, (_, i) => ({
    id: i,
    name: sentence(random),
    price: Math.floor(random() * 1000),
    tags: ['a', 'b'],
  }));
  const repriced = catalogue.toSpliced(500, 1).map((item) => (item.id % 10 === 0 ? { ...item, price: item.price + 1 } : item));
  return [
    ofTexts('2,000 lines, 40 of them others, by line', page, edited, 'line'),
    ofTexts('2,000 lines, 40 of them others, by word', page, edited, 'word'),
    ofTexts(
      `${far?.length} lines that all differ, by line`,
      far ?? [],
      (far ?? []).map((line) => `${line} more`),
      'line',
    ),
    ofTexts('100 lines of other text, by word', page.slice(0, 100), other ?? [], 'word'),
    // Two readings share no objects.
    ...ofJson('1,000 items, one gone, 100 repriced', catalogue, structuredClone(repriced)),
  ];
}

function ofTexts(name: string, oldLines: readonly string[], newLines: readonly string[], unit: 'line' | 'word'): BenchRow {
  const [old, fresh] = [oldLines.join('\n'), newLines.join('\n')];
  const rival = () => (unit === 'line' ? diffLines(old, fresh) : diffWordsWithSpace(old, fresh));
  // What takes seconds is as clear after one round.
  const startMs = performance.now();
  rival();
  const isSlow = performance.now() - startMs > 1000;
  const [value, rivalValue] = isSlow
    ? [cpuMs(() => diffText(old, fresh, unit)), cpuMs(rival)]
    : compareCpuMs(() => diffText(old, fresh, unit), rival, ROUNDS);
  return { name, value, unit: 'ms CPU', rival: 'diff', rivalValue, target: '<= 1x' };
}

/** All three find items again by `id`, and the same number of changes. */
function ofJson(name: string, old: readonly Item[], fresh: readonly Item[]): BenchRow[] {
  const patcher = create({ objectHash: (item) => String((item as Item).id) });
  const ours = () => diffJson(old, fresh, { key: ['id'] });
  const changes = ours().changes.length;
  const patch = () => patcher.diff(old, fresh) as Record<string, unknown>;
  const steps = () => jsonDiffTs(old, fresh, { embeddedObjKeys: { '': 'id' } });
  // The rival also names the kind of its answer.
  assert.equal(Object.keys(patch()).length - 1, changes);
  return [['jsondiffpatch', patch] as const, ['json-diff-ts', steps] as const].map(([rival, work]) => {
    const [value, rivalValue] = compareCpuMs(ours, work, ROUNDS);
    return { name, value, unit: 'ms CPU', rival, rivalValue, target: '<= 1x' };
  });
}

type Item = {
  readonly id: number;
  readonly name: string;
  readonly price: number;
  readonly tags: readonly string[];
};

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function sentence(random: () => number): string {
  return Array.from({ length: 8 + Math.floor(random() * 8) }, () => `w${Math.floor(random() ** 3 * VOCABULARY).toString(36)}`).join(' ');
}
