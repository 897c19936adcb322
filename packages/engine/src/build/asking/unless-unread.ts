// A page that can't be read, because it is too large or takes too long, is one page less and no end of the build.
import { PageError } from '../../errors.ts';

/** What `work` gives, or why its page can't be read. Throws PageError that says `stop`. */
export async function unlessUnread<Result>(work: () => Promise<Result>): Promise<Result | PageError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PageError && error.next !== 'stop') return error;
    throw error;
  }
}
