// What an account asks for, told apart from what others do.
import type { FetchRequest, Fetcher } from '@weft/engine';

/** For which account, and whether somebody waits for the answer. */
export type Asker = Required<Pick<FetchRequest, 'tenant' | 'isUrgent'>>;

/** `fetcher`, whose requests are all of one asker. */
export function fetcherOf(fetcher: Pick<Fetcher, 'fetch'>, asker: Asker): Pick<Fetcher, 'fetch'> {
  return { fetch: (request, signal) => fetcher.fetch({ ...request, ...asker }, signal) };
}
