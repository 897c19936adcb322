// Measures CPU, not the clock, and takes turns: on a shared machine nothing else can be repeated.

const WARM_UP_ROUNDS = 20;
/** A measured turn repeats its work until it took this long; the CPU counter ticks in microseconds, but scheduling is coarser. */
const TURN_MS = 20;

/**
 * The median CPU milliseconds (user and system, all threads of the process) of one call of `ours` and of `rival`.
 * They take turns for `rounds` rounds after a warm-up, so that a busy or cold machine wrongs neither.
 */
export function compareCpuMs(ours: () => unknown, rival: () => unknown, rounds = 15): readonly [ours: number, rival: number] {
  for (let i = 0; i < WARM_UP_ROUNDS; i++) [ours, rival].forEach((work) => work());
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

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
