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

/** The instant that `--<name>` gives, under that name: a day, an instant, or how long ago; nothing where it was not given. Throws CommandError. */
export function instantOption<Name extends string>(
  options: Readonly<Record<string, string | boolean | undefined>>,
  name: Name,
): Readonly<Partial<Record<Name, string>>> {
  const text = options[name];
  // Nothing is said under any name.
  if (typeof text !== 'string') return {} as Readonly<Partial<Record<Name, string>>>;
  const ago = parseDuration(text);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const named = isDay || /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
  const ms = ago === undefined ? named : Date.now() - ago * 1000;
  // The key is the name, whatever it is.
  if (!Number.isNaN(ms)) return { [name]: new Date(ms).toISOString() } as Partial<Record<Name, string>>;
  throw new CommandError(
    `--${name} is "${text}"; it must be a time such as 7d or 12h, a day such as 2026-01-31, or an instant such as 2026-01-31T09:00:00Z.`,
    { exitCode: EXIT.usage, code: 'bad_request' },
  );
}

/** In the largest unit of which it is a whole number: `90 s`, `90 min`, `1 d`. */
export function exactDurationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each && seconds % each === 0) ?? ['s', 1];
  return `${seconds / size} ${unit}`;
}

/** The largest whole unit: `15 min`, `2 h`, `3 d`. */
export function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}
