// A fetcher that waits until a host may be asked, for what fetches single pages (D32).
import { isAdmin } from '@weft/serve';
import type { Actor } from '@weft/serve';
import type { Fetcher, HostTurnPorts } from '@weft/engine';
import { PageError, askInTurn } from '@weft/engine';

const PACE = { inFlightMax: 2, gapMs: 0 };

/**
 * The fetcher of `ports` behind the shared gate; it throws PageError `rate_limited` too, where a host wants to be left alone for long.
 * Closing it closes nothing: the fetcher belongs to the program.
 */
export function pacedFetcher(ports: HostTurnPorts): Fetcher {
  return {
    async fetch(request, signal) {
      const page = await askInTurn(ports, request, PACE, signal);
      if (page) return page;
      const { url } = request;
      if (signal.aborted) throw new PageError('aborted', 'The request was stopped before it began.', { url });
      const until = new Date(ports.gate.blockedUntilMs(new URL(url).origin)).toISOString();
      throw new PageError('rate_limited', `The host of ${url} wants to be left alone until ${until}. Ask again then.`, { url });
    },
    close: async () => undefined,
  };
}

/** The private address that the caller's own URL names, as `host:port`; none for callers that may not name one (D31). */
export function privateTargetsOf(url: string, actor: Actor): readonly string[] {
  if (!isAdmin(actor)) return [];
  const { hostname, port, protocol } = new URL(url);
  return [`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`];
}
