// The part of the health that tells whether what comes due by itself is kept up with.
import type { HealthPart } from '@weft/contract';
import type { SchedulesState } from './schedules.ts';

/** By more than a minute something begins in another minute than its schedule says. */
const LATE_MS_WARN = 60_000;

/** How many are due, how late the last ones began, and what mends it where that is too late. */
export function schedulesPart({ all, due, faulty, lateMs }: SchedulesState): HealthPart {
  const name = 'schedules';
  if (all === 0) return { name, status: 'ok', message: 'Nothing is scheduled.' };
  const p95Ms = percentile95(lateMs);
  const late = lateMs.length === 0 ? '' : ` Of the last ${lateMs.length} that began, 95 in 100 were at most ${seconds(p95Ms)} late.`;
  const bad = faulty === 0 ? '' : ` ${faulty} could not be begun.`;
  const message = `${due} of ${all} scheduled ${all === 1 ? 'thing is' : 'things are'} due.${late}${bad}`;
  if (faulty > 0) return { name, status: 'warn', message, fix: 'Read agent.log for what is wrong with them; they are tried again.' };
  if (p95Ms <= LATE_MS_WARN) return { name, status: 'ok', message };
  return {
    name,
    status: 'warn',
    message,
    fix: 'Let them come due less often, or raise "runs_max" in config.json if the machine has time left.',
  };
}

/** The least that 95 in 100 are not above; 0 for none. */
function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
