// What the suites take from the environment, read once.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Settings of the benchmarks. */
export interface BenchSettings {
  /** A folder of documentation sites, unpacked from packages of a distribution; suites that need them are skipped without it. */
  readonly docsFolder: string | undefined;
  /** Where real applications are installed and keep their data. */
  readonly appsFolder: string;
  /** The names of the applications to measure; empty for all. */
  readonly appNames: readonly string[];
  /** The parts of the suite for monitors to measure: checks, fleet, browser; empty for all (`BENCH_MONITOR`). */
  readonly monitorParts: readonly string[];
  /** False where only our own rows are wanted (`BENCH_RIVALS=no`). */
  readonly hasRivals: boolean;
}

const CACHE = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');

export const SETTINGS: BenchSettings = Object.freeze({
  docsFolder: process.env['BENCH_DOCS'] || undefined,
  appsFolder: process.env['WEFT_APPS_HOME'] || join(CACHE, 'weft-apps'),
  appNames: listOf(process.env['BENCH_APPS']),
  monitorParts: listOf(process.env['BENCH_MONITOR']),
  hasRivals: process.env['BENCH_RIVALS'] !== 'no',
});

function listOf(names: string | undefined): readonly string[] {
  return (names ?? '').split(',').filter((name) => name !== '');
}
