// A fetcher that tells what it is asked for: to metrics by lane, to traces by host. Paths are of the account that asks.
import type { Fetcher } from '@weft/engine';
import type { Metrics } from './metrics.ts';
import type { Tracer } from './tracer.ts';

/** `fetcher`, watched. */
export function watchedFetcher(fetcher: Fetcher, metrics: Pick<Metrics, 'fetched'>, tracer: Tracer): Fetcher {
  return {
    ...fetcher,
    fetch: (request, signal) =>
      tracer.trace('page', { kind: 'client', attributes: { 'server.address': URL.parse(request.url)?.hostname } }, async (span) => {
        try {
          const page = await fetcher.fetch(request, signal);
          metrics.fetched(page);
          span.set({ 'http.response.status_code': page.status, 'weft.lane': page.lane });
          return page;
        } catch (error) {
          metrics.fetched(undefined);
          throw error;
        }
      }),
    close: () => fetcher.close(),
  };
}
