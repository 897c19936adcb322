// Spans of time as they are typed and shown.
import { CommandError, EXIT } from './exit.ts';

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Seconds that `text` is: a whole number of them, or 30s, 15m, 2h, 1d, 1w. Undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount = '', unit = 's'] = /^(\d{1,9})([smhdw])?$/.exec(text) ?? [];
  // One of the letters.
  return amount === '' ? undefined : Number(amount) * SECONDS[unit as keyof typeof SECONDS];
}

/** As `parseDuration`. Throws CommandError that names `flag`. */
export function requireDuration(text: string, flag: string): number {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return seconds;
  throw new CommandError(`${flag} is "${text}"; it must be a time such as 90s, 15m, 2h or 1d.`, {
    exitCode: EXIT.usage,
    code: 'bad_request',
  });
}

/** The largest whole unit: `15 min`, `2 h`, `3 d`. */
export function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}
