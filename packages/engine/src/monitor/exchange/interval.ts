// Intervals of other programs as schedules.
import type { Draft } from './draft.ts';

/** Bounds of `schedule.every`, in seconds: five, and a year. */
const SECONDS_MIN = 5;
const SECONDS_MAX = 31_536_000;

/** Checks every so many seconds; what lies outside of what is possible is moved into it, and told. */
export function setEvery(seconds: number, member: string, draft: Draft): void {
  const every = Math.min(SECONDS_MAX, Math.max(SECONDS_MIN, Math.round(seconds)));
  if (every !== Math.round(seconds)) draft.leave(member, `Every ${seconds} seconds is not possible; it is checked every ${every}.`);
  draft.set('schedule', { ...draft.spec.schedule, every });
}
