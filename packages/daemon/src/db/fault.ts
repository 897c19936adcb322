// What a caller is told when the database can't be used at the moment: the cause is outside, and the same call may work later.
import { AppError } from '@weft/contract';

/** Sentences by SQLite's primary result code (https://sqlite.org/rescode.html). */
const SENTENCES: Readonly<Record<number, string>> = {
  5: 'Another program holds the database of the agent; nothing was changed. Close it and send the call again.',
  6: 'Another program holds the database of the agent; nothing was changed. Close it and send the call again.',
  8: 'The database of the agent is read-only; nothing was changed. Mend the permissions of its home and send the call again.',
  10: 'The disk of the agent could not be read or written; nothing was changed. `weft doctor` looks at it.',
  13: 'The disk of the agent is full; nothing was changed. Free space and send the call again.',
};

/** The same by the system's code, for files beside the database. */
const FILE_SENTENCES: Readonly<Record<string, string>> = {
  EROFS: 'The disk of the agent is read-only; nothing was kept. Make it writable and send the call again.',
  EACCES: 'The agent may not write to its home; nothing was kept. Mend the permissions of its home and send the call again.',
  ENOSPC: 'The disk of the agent is full; nothing was kept. Free space and send the call again.',
  EDQUOT: 'The disk of the agent is full; nothing was kept. Free space and send the call again.',
  EIO: 'The disk of the agent could not be read or written; nothing was kept. `weft doctor` looks at it.',
};

/** True when SQLite itself refused, whatever the reason. */
export function isDatabaseFault(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

/** The refusal for a fault of the database that lies outside the agent; undefined for any other error. */
export function explainFault(error: unknown): AppError | undefined {
  const sentence = isDatabaseFault(error) ? SENTENCES[error.errcode & 0xff] : undefined;
  return sentence === undefined ? undefined : new AppError('internal', sentence, { retryAfterSeconds: 1, cause: error });
}

/** The refusal for a file of the home that can't be written; undefined for any other error. */
export function explainFileFault(error: unknown): AppError | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  const sentence = FILE_SENTENCES[code];
  return sentence === undefined ? undefined : new AppError('internal', sentence, { retryAfterSeconds: 1, cause: error });
}
