// A fetcher that waits until a host may be asked, for what fetches single pages (D32).
import { isAdmin } from '@weft/serve';
import type { Actor } from '@weft/serve';
import type { CrawlClock, Fetcher, HostAnswer, HostGate, Page } from '@weft/engine';
import { PageError } from '@weft/engine';
import { retryAfterMs } from '@weft/engine/io';

const PACE = { inFlightMax: 2, gapMs: 0 };
/** How soon a place that somebody else holds is asked for again. */
const RETRY_MS = 50;

/** `fetcher` behind the shared gate. Closing it closes nothing: the fetcher belongs to the program. */
export function pacedFetcher({
  fetcher,
  gate,
  clock,
}: {
  readonly fetcher: Fetcher;
  readonly gate: HostGate;
  readonly clock: CrawlClock;
}): Fetcher {
  return {
    async fetch(request, signal) {
      const host = new URL(request.url).origin;
      for (let atMs = gate.tryStart(host, PACE, clock.now()); atMs > 0; atMs = gate.tryStart(host, PACE, clock.now())) {
        await clock.sleepUntil(Number.isFinite(atMs) ? atMs : clock.now() + RETRY_MS, signal);
        if (signal.aborted) throw new PageError('aborted', 'The request was stopped before it began.', { url: request.url });
      }
      let answer = hostAnswer(undefined, clock.now());
      try {
        const page = await fetcher.fetch(request, signal);
        answer = hostAnswer(page, clock.now());
        return page;
      } finally {
        gate.finish(host, answer, clock.now());
      }
    },
    close: async () => undefined,
  };
}

/** What a page says of its host's pace; `undefined` stands for no answer. */
export function hostAnswer(page: Page | undefined, nowMs: number): HostAnswer {
  const waitMs = page && retryAfterMs(page, nowMs);
  return { status: page?.status, retryAtMs: waitMs === undefined ? undefined : nowMs + waitMs };
}

/** The private address that the caller's own URL names, as `host:port`; none for callers that may not name one (D31). */
export function privateTargetsOf(url: string, actor: Actor): readonly string[] {
  if (!isAdmin(actor)) return [];
  const { hostname, port, protocol } = new URL(url);
  return [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`];
}
