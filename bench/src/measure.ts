// Measures CPU, not the clock, and takes turns: on a shared machine nothing else can be repeated.

const WARM_UP_TURNS = 4;
/** A turn repeats its work until it took this long, so that each carries its share of garbage collection. */
const TURN_MS = 150;

/**
 * The median CPU milliseconds (user and system, all threads of the process) of one call of `ours` and of `rival`.
 * They take turns for `rounds` rounds after a warm-up, so that a busy or cold machine wrongs neither.
 */
export function compareCpuMs(ours: () => unknown, rival: () => unknown, rounds = 9): readonly [ours: number, rival: number] {
  for (let i = 0; i < WARM_UP_TURNS; i++) [ours, rival].forEach(turnCpuMs);
  const turns = Array.from({ length: rounds }, () => [turnCpuMs(ours), turnCpuMs(rival)] as const);
  return [median(turns.map(([own]) => own)), median(turns.map(([, other]) => other))];
}

function turnCpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  for (let calls = 1; ; calls++) {
    work();
    const { user, system } = process.cpuUsage(before);
    const usedMs = (user + system) / 1000;
    if (usedMs >= TURN_MS) return usedMs / calls;
  }
}

/** The middle one of `values`; the upper of two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
