// What a crawler under measurement says at its end, as one line of JSON.

export interface CrawlerUse {
  readonly pages: number;
  /** User and system, all threads. */
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakMegabytes: number;
}

/** Begins to measure; the function that comes back prints the line. */
export function reportUse(): (pages: number) => void {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  return (pages) => {
    const { user, system } = process.cpuUsage(before);
    const use: CrawlerUse = {
      pages,
      cpuMs: (user + system) / 1000,
      wallMs: performance.now() - startedMs,
      peakMegabytes: process.resourceUsage().maxRSS / 1024,
    };
    process.stdout.write(`${JSON.stringify(use)}\n`);
  };
}
