// What one run asks hosts with: its browser options on each page, one cookie store for all, and its place given back while hosts are silent.
import type { BrowserOptions, Fetcher, HostGate } from '@weft/engine';
import { createCookieStore } from '@weft/engine/io';
import type { RunTurn } from '../runs/turn.ts';
import type { StoredCrawlOptions } from './engine-options.ts';

/** What is asked for by HTTP (robots.txt, sitemaps) stays as it is; pages share cookies, and in the browser a context. `turn` hears each answer. */
export function jobFetcher(fetcher: Fetcher, options: StoredCrawlOptions, turn: RunTurn): Fetcher {
  const cookies = createCookieStore();
  const browser = browserOptions(options);
  turn.hear();
  return {
    async fetch(request, signal) {
      const asked = request.lane === 'http' ? request : { cookies, ...request, ...(browser ? { browser } : {}) };
      try {
        return await fetcher.fetch(asked, signal);
      } finally {
        turn.hear();
      }
    },
    close: () => fetcher.close(),
  };
}

/** `gate` for a run that has nothing else to do: while it stands in a line, others have its place. */
export function restingGate(gate: HostGate, turn: RunTurn): HostGate {
  return {
    learnGap: (host, ownGapMs) => gate.learnGap(host, ownGapMs),
    restOf: (host) => gate.restOf(host),
    async take(host, limits, signal, onWait) {
      const wait = () => {
        turn.rest();
        onWait?.();
      };
      const grant = await gate.take(host, limits, signal, wait);
      turn.work();
      return grant;
    },
  };
}

function browserOptions(options: StoredCrawlOptions): BrowserOptions | undefined {
  const { wait_for: waitFor, wait_for_selector: waitForSelector, wait_ms: waitMs, screenshot, pdf } = options;
  const given = {
    ...(waitFor === undefined ? {} : { waitFor }),
    ...(waitForSelector === undefined ? {} : { waitForSelector }),
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(screenshot === undefined ? {} : { screenshot }),
    ...(pdf === undefined ? {} : { pdf }),
  };
  return Object.keys(given).length > 0 ? given : undefined;
}
