// Where the public measuring sets are, how they are split, and the intervals that go with a score.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export type Split = 'tune' | 'report';

/** The half of the public data that `key` (a host or a site's folder name) belongs to. */
export function splitOf(key: string): Split {
  const number = createHash('sha256').update(`tune-v1:${key}`).digest().readUInt32BE(0);
  return number % 100 < 50 ? 'tune' : 'report';
}

/** The host that decides the split of a page: without `www.`. */
export function hostKey(url: string): string {
  return (URL.parse(url)?.hostname ?? '').replace(/^www\./, '');
}

/** The folder of an unpacked set, unpacking it once into the temporary folder; undefined where the data is absent. */
export function findDataset(name: string): string | undefined {
  const archive = resolve(import.meta.dirname, '..', '..', '..', 'shared', 'data', `${name}.tar.xz`);
  const home = join(tmpdir(), 'weft-data');
  const folder = join(home, name);
  if (existsSync(folder)) return folder;
  if (!existsSync(archive)) return undefined;
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['xf', archive, '-C', home]);
  return folder;
}

/** 95 % bootstrap interval of `total` over `rows`, seeded. */
export function bootstrapInterval<Row>(
  rows: readonly Row[],
  total: (rows: readonly Row[]) => number,
  rounds = 500,
): readonly [low: number, high: number] {
  let seed = 42;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const values: number[] = [];
  for (let i = 0; i < rounds; i++) values.push(total(rows.map(() => rows[Math.floor(random() * rows.length)] as Row)));
  values.sort((a, b) => a - b);
  return [values[Math.floor(rounds * 0.025)] ?? 0, values[Math.floor(rounds * 0.975)] ?? 0];
}

/** The fixed 15 % sample: stable by name, so two runs measure the same pages. */
export function isSampled(name: string): boolean {
  return createHash('sha256').update(`sample-v1:${name}`).digest().readUInt32BE(0) % 100 < 15;
}
