// What to do next where something does not exist.
import { ApiError } from '@weft/client/node';
import { CommandError, EXIT } from './exit.ts';

/** What `answer` resolves with. Throws CommandError that names `next`, a command, where it says `not_found`. */
export async function orTry<T>(next: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    throw new CommandError(error.message, { exitCode: EXIT.notFound, code: error.code, status: error.status, next: [next] });
  }
}
