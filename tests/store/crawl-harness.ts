// Runs crawls in tests: a small fetcher over undici, a clock that jumps, and a sink that keeps addresses.
import { request } from 'undici';
import type { CrawlClock, CrawlPorts } from '../../packages/engine/src/crawl/crawl-ports.ts';
import { MemoryHostGate } from '../../packages/engine/src/crawl/hosts/host-gate.ts';
import { crawlOptions } from '../../packages/engine/src/crawl/options.ts';
import type { CrawlOptions } from '../../packages/engine/src/crawl/options.ts';
import { RobotsCache } from '../../packages/engine/src/crawl/hosts/robots-cache.ts';
import { runCrawl } from '../../packages/engine/src/crawl/loop/run-crawl.ts';
import type { CrawlOutcome } from '../../packages/engine/src/crawl/loop/run-crawl.ts';
import { PageError } from '../../packages/engine/src/errors.ts';
import type { FetchRequest, Fetcher, Page } from '../../packages/engine/src/ports.ts';
import { Alarms } from '../alarms.ts';
import type { LedgerEntry } from './frontier-store-suite.ts';
import { CrawlTables, MemoryFrontierStore } from '../../packages/engine/src/crawl/memory-frontier.ts';

/** A sleep that gathers a batch rather than waits for a time. */
const LINGER_MS = 10;

/** A clock that stands still until someone sleeps, and then jumps to where the sleeper wants to wake, once no request is under way. */
export class JumpingClock implements CrawlClock {
  /** Requests under way. */
  busy = 0;
  private nowMs = Date.UTC(2026, 10, 20);
  private readonly alarms = new Alarms();

  now(): number {
    return this.nowMs;
  }

  steadyMs(): number {
    return this.nowMs;
  }

  async sleepUntil(epochMs: number, signal: AbortSignal): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (!signal.aborted && this.busy > 0 && epochMs - this.nowMs > LINGER_MS);
    // An aborted sleeper does not move the clock.
    if (signal.aborted) return;
    this.nowMs = Math.max(this.nowMs, epochMs);
    this.alarms.ring(this.nowMs);
  }

  alarm(epochMs: number, ring: () => void): () => void {
    return this.alarms.at(epochMs, ring);
  }
}

/** Fetches over undici and follows redirects; notes when each address was asked for. */
export class PlainFetcher implements Fetcher {
  readonly asked: { readonly url: string; readonly atMs: number }[] = [];
  private readonly clock: JumpingClock;

  constructor(clock: JumpingClock) {
    this.clock = clock;
  }

  async fetch(asked: FetchRequest, signal: AbortSignal): Promise<Page> {
    this.asked.push({ url: asked.url, atMs: this.clock.now() });
    this.clock.busy++;
    try {
      return await this.load(asked, signal);
    } finally {
      this.clock.busy--;
    }
  }

  private async load(asked: FetchRequest, signal: AbortSignal): Promise<Page> {
    const redirects: { url: string; status: number }[] = [];
    let url = asked.url;
    for (;;) {
      const answer = await request(url, { signal }).catch((error: unknown) => {
        throw new PageError(signal.aborted ? 'aborted' : 'connect', `${url} could not be reached.`, { cause: error });
      });
      const body = new Uint8Array(await answer.body.arrayBuffer());
      const location = answer.headers['location'];
      if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
        redirects.push({ url, status: answer.statusCode });
        if (redirects.length > (asked.redirectsMax ?? 10)) throw new PageError('redirect_limit', `${asked.url} redirects too often.`);
        url = new URL(location, url).href;
        await asked.beforeRedirect?.(url, answer.statusCode, 'public');
        continue;
      }
      const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as const] : [],
      );
      return {
        requestedUrl: asked.url,
        url,
        status: answer.statusCode,
        headers,
        body,
        contentType: headers.find(([name]) => name === 'content-type')?.[1],
        lane: 'http',
        laneReason: 'asked',
        redirects,
        timings: { totalMs: 0 },
        fetchedAtMs: this.clock.now(),
        optionsIgnored: [],
        fromCache: false,
      };
    }
  }

  async close(): Promise<void> {}
}

/** A crawl that ran, and what it left. */
export interface CrawlRunResult {
  readonly outcome: CrawlOutcome;
  readonly ledger: readonly LedgerEntry[];
  readonly asked: PlainFetcher['asked'];
  readonly tables: CrawlTables<string>;
}

/** Crawls from `seed` without robots surprises or sitemaps unless asked; `ports` replaces single ports. */
export async function crawl(
  seed: string,
  asked: Partial<CrawlOptions> = {},
  ports: Partial<CrawlPorts<string>> & {
    readonly clock?: JumpingClock;
    readonly tables?: CrawlTables<string>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<CrawlRunResult> {
  const clock = ports.clock ?? new JumpingClock();
  const fetcher = new PlainFetcher(clock);
  const tables = ports.tables ?? new CrawlTables<string>();
  const store = new MemoryFrontierStore(tables);
  const options = crawlOptions({ seeds: [seed], agent: 'weft', sitemap: 'skip', ...asked });
  const gate = ports.gate ?? new MemoryHostGate(clock);
  const outcome = await runCrawl(
    options,
    {
      store,
      fetcher,
      clock,
      sink: { save: async (_page, _links, url) => url.url },
      gate,
      robots: new RobotsCache(ports.fetcher ?? fetcher, clock, [], { gate, agent: options.agent }),
      ...ports,
    },
    ports.signal ?? new AbortController().signal,
  );
  return { outcome, ledger: store.ledger(), asked: fetcher.asked, tables };
}

/** The outcome, or reason of a skip, of each path of a ledger. */
export function outcomesByPath(ledger: readonly LedgerEntry[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ledger.map((entry) => {
      const url = new URL(entry.url);
      return [url.pathname + url.search, entry.reason ?? entry.outcome];
    }),
  );
}
