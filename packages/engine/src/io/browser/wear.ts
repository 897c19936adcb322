// Tells when a browser has served its time: by age, by pages, and by how slow its own steps have become.

/** When a browser is replaced. */
export interface WearLimits {
  /** Default 1,000. */
  readonly browserPagesMax: number;
  /** Milliseconds; default 30 minutes. */
  readonly browserAgeMs: number;
}

/** What is known of one browser's use. */
export interface Wear {
  /** `stepsMs` is what opening and closing the page took: the same work every time, whatever the page. */
  addPage(stepsMs: number): void;
  isWorn(): boolean;
}

const DEFAULTS: WearLimits = { browserPagesMax: 1000, browserAgeMs: 1_800_000 };
const SAMPLE = 20;
/** A busy machine makes steps two or three times as long for a while; a rotten browser goes on growing. */
const SLOWDOWN_MAX = 4;
/** Below this nobody notices. */
const SLOW_MS = 500;

/** The wear of a browser that starts now. */
export function createWear(limits: Partial<WearLimits> = {}, now: () => number = () => performance.now()): Wear {
  const { browserPagesMax = DEFAULTS.browserPagesMax, browserAgeMs = DEFAULTS.browserAgeMs } = limits;
  const startedMs = now();
  const first: number[] = [];
  const recent: number[] = [];
  let pages = 0;
  return {
    addPage(stepsMs) {
      pages += 1;
      if (first.length < SAMPLE) first.push(stepsMs);
      recent.push(stepsMs);
      if (recent.length > SAMPLE) recent.shift();
    },
    isWorn: () => pages >= browserPagesMax || now() - startedMs >= browserAgeMs || isSlow(first, recent, pages),
  };
}

function isSlow(first: readonly number[], recent: readonly number[], pages: number): boolean {
  if (pages < 2 * SAMPLE) return false;
  const nowMs = median(recent);
  return nowMs > SLOW_MS && nowMs > SLOWDOWN_MAX * median(first);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
