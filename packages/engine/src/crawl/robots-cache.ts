// Fetches robots.txt once per host and day.
import { PageError } from '../errors.ts';
import type { Fetcher } from '../ports.ts';
import { ROBOTS_MAX_AGE_SECONDS, robotsFromResponse } from '../robots/response.ts';
import type { RobotsRules } from '../robots/rules.ts';
import type { CrawlClock, RobotsSource } from './crawl-ports.ts';

const REDIRECTS_MAX = 5;
/** Far beyond what is read of the text, so that a large file is cut rather than refused. */
const BODY_BYTES_MAX = 16_777_216;
const TIMEOUT_MS = 20_000;
/** A file that could not be read is asked for again sooner: everything is forbidden until it can. */
const UNREADABLE_MAX_AGE_MS = 600_000;

interface CachedRules {
  readonly rules: Promise<RobotsRules>;
  readonly expiresMs: number;
}

/** Robots rules over a fetcher. Hosts that are asked for at the same time share one request. */
export class RobotsCache implements RobotsSource {
  private readonly cache = new Map<string, CachedRules>();
  private readonly fetcher: Fetcher;
  private readonly clock: CrawlClock;
  private readonly privateTargets: readonly string[];

  constructor(fetcher: Fetcher, clock: CrawlClock, privateTargets: readonly string[] = []) {
    this.fetcher = fetcher;
    this.clock = clock;
    this.privateTargets = privateTargets;
  }

  async rulesFor(host: string, signal: AbortSignal): Promise<RobotsRules> {
    const nowMs = this.clock.now();
    const cached = this.cache.get(host);
    if (cached && cached.expiresMs > nowMs) return cached.rules;
    const rules = this.load(host, signal);
    this.cache.set(host, { rules, expiresMs: nowMs + ROBOTS_MAX_AGE_SECONDS * 1_000 });
    const loaded = await rules;
    // An abort says nothing about the host.
    if (signal.aborted) this.cache.delete(host);
    else if (loaded.access === 'disallow_all') this.cache.set(host, { rules, expiresMs: nowMs + UNREADABLE_MAX_AGE_MS });
    return loaded;
  }

  private async load(host: string, signal: AbortSignal): Promise<RobotsRules> {
    try {
      const page = await this.fetcher.fetch(
        {
          url: `${host}/robots.txt`,
          lane: 'http',
          redirectsMax: REDIRECTS_MAX,
          bodyBytesMax: BODY_BYTES_MAX,
          timeoutMs: TIMEOUT_MS,
          privateTargets: this.privateTargets,
        },
        signal,
      );
      return robotsFromResponse({ status: page.status, body: page.body });
    } catch (error) {
      // Too many redirects count as no file (RFC 9309, 2.3.1.2).
      if (error instanceof PageError && (error.code === 'redirect_limit' || error.code === 'redirect_loop'))
        return robotsFromResponse({ status: 310, body: '' });
      return robotsFromResponse({ failure: error instanceof PageError ? error.message : 'the request failed' });
    }
  }
}
