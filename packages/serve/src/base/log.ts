// The agent's log: JSON lines in <home>/logs/agent.log, rotated by size. Never page text, never secret values.
import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { pino } from 'pino';
import type { Logger } from 'pino';

const FILE_BYTES_MAX = 20_000_000;
const FILES_KEPT = 3;
/** Long or hostile text can't flood a line or move a terminal's cursor (F79). */
const TEXT_MAX = 2000;
/** Control and format characters, and the two line ends that JSON leaves alone. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** What may never be written, wherever in a text it stands, and what is written instead. */
const SECRETS: readonly (readonly [pattern: RegExp, shown: string])[] = [
  [/(wlt|wlk|wlo|wt|csk)_[A-Za-z0-9_-]{16,}/g, '$1_[redacted]'],
  [/(ticket|nonce|code|token|password)=[^\s&"']+/gi, '$1=[redacted]'],
  [/(\/\/)[^\s/@]+@/g, '$1[redacted]@'],
  [/\b(Basic|Bearer) +[A-Za-z0-9+/=._~-]{8,}/gi, '$1 [redacted]'],
];

export type Log = Pick<Logger, 'info' | 'warn' | 'error'> & {
  /** Nothing may be logged after this. */
  close(): Promise<void>;
};

/** Opens the log at `path`; a file that has grown past `bytesMax` is kept as `<path>.1`, `.2`, ... */
export function openLog(path: string, bytesMax = FILE_BYTES_MAX): Log {
  const file = openLines(path, bytesMax);
  const logger = pino(
    {
      base: null,
      messageKey: 'msg',
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['authorization', 'cookie', 'password', 'token', 'totp', '*.authorization', '*.cookie', '*.password', '*.token', '*.totp'],
        censor: '[redacted]',
      },
      serializers: { error: describeError },
    },
    file,
  );
  return {
    info: logger.info.bind(logger),
    warn: logger.warn.bind(logger),
    error: logger.error.bind(logger),
    close: async () => file.close(),
  };
}

/**
 * A file of lines, which begins anew when it has grown past `bytesMax`. A line that a full disk can't take is lost: pino's own file would
 * wait for space in the end, and keep the process.
 */
function openLines(path: string, bytesMax: number) {
  let file = openSync(path, 'a', 0o600);
  let bytes = fstatSync(file).size;
  let isTorn = false;
  const beginAnew = () => {
    rotate(path);
    const next = openSync(path, 'a', 0o600);
    closeSync(file);
    file = next;
    bytes = fstatSync(file).size;
    isTorn = false;
  };
  return {
    write(line: string): void {
      try {
        if (bytes >= bytesMax) beginAnew();
        const text = Buffer.from(isTorn ? `\n${line}` : line);
        isTorn = true;
        const written = writeSync(file, text);
        bytes += written;
        isTorn = written < text.length;
      } catch {
        // Nothing is left to tell it to.
      }
    },
    close: () => closeSync(file),
  };
}

/** Text from outside, safe to print: control characters shown, length bounded, tokens and passwords masked. */
export function safeText(text: string): string {
  const cut = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}... (${text.length} characters)` : text;
  return SECRETS.reduce((masked, [pattern, shown]) => masked.replace(pattern, shown), cut).replace(
    HIDDEN,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return safeText(textOf(error));
  return {
    name: safeText(error.name),
    message: safeText(error.message),
    stack: safeText(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: safeText(textOf(error.cause)) }),
  };
}

/** Whatever was thrown as text; String() itself throws for some. */
function textOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : inspect(thrown, { depth: 1 });
}

/** Keeps the file as `<path>.1`, the one before as `.2`, and so on. */
function rotate(path: string): void {
  for (let i = FILES_KEPT - 1; i >= 1; i--) if (existsSync(`${path}.${i}`)) renameSync(`${path}.${i}`, `${path}.${i + 1}`);
  if (existsSync(path)) renameSync(path, `${path}.1`);
}
