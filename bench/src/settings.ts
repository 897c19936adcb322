// What the suites take from the environment, read once.

/** Settings of the benchmarks. */
export interface BenchSettings {
  /** A folder of documentation sites, unpacked from packages of a distribution; suites that need them are skipped without it. */
  readonly docsFolder: string | undefined;
}

export const SETTINGS: BenchSettings = Object.freeze({ docsFolder: process.env['BENCH_DOCS'] || undefined });
