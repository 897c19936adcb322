// Fetches robots.txt once per host and day.
import { PageError } from '../errors.ts';
import type { Fetcher, Page } from '../ports.ts';
import { selectAgentRules } from '../robots/decide.ts';
import { ROBOTS_MAX_AGE_SECONDS, robotsFromResponse } from '../robots/response.ts';
import type { RobotsRules } from '../robots/rules.ts';
import type { CrawlClock, HostGate, HostLimits, RobotsSource } from './crawl-ports.ts';
import { fetchInTurn, takeTurn } from './host-turn.ts';

const REQUEST = {
  lane: 'http',
  redirectsMax: 5,
  /** Far beyond what is read of the text, so that a large file is cut rather than refused. */
  bodyBytesMax: 16_777_216,
  timeoutMs: 20_000,
} as const;
/** A file that could not be read is asked for again sooner: everything is forbidden until it can. */
const UNREADABLE_MAX_AGE_MS = 600_000;

const PACE: HostLimits = { inFlightMax: 2, gapMs: 0 };

/** The pace that the requests of a cache keep; left out where its fetcher keeps one already. */
export interface RobotsPace {
  readonly gate: HostGate;
  /** Product token that the group with the host's own delay is chosen by. */
  readonly agent: string;
}

interface CachedRules {
  /** Undefined when the caller who asked for them left. */
  readonly rules: Promise<RobotsRules | undefined>;
  readonly expiresMs: number;
}

/** Robots rules over a fetcher. Hosts that are asked for at the same time share one request. */
export class RobotsCache implements RobotsSource {
  private readonly cache = new Map<string, CachedRules>();
  private readonly fetcher: Fetcher;
  private readonly clock: CrawlClock;
  private readonly privateTargets: readonly string[];
  private readonly pace: RobotsPace | undefined;

  constructor(fetcher: Fetcher, clock: CrawlClock, privateTargets: readonly string[] = [], pace?: RobotsPace) {
    this.fetcher = fetcher;
    this.clock = clock;
    this.privateTargets = privateTargets;
    this.pace = pace;
  }

  async rulesFor(host: string, signal: AbortSignal, limits: HostLimits = PACE): Promise<RobotsRules> {
    for (;;) {
      const cached = this.cache.get(host);
      const rules = await (cached && cached.expiresMs > this.clock.now() ? cached.rules : this.begin(host, signal, limits));
      if (rules) return rules;
      // Whoever asked was stopped, which says nothing about the host.
      if (signal.aborted) return robotsFromResponse({ failure: 'the request was stopped' });
    }
  }

  private async begin(host: string, signal: AbortSignal, limits: HostLimits): Promise<RobotsRules | undefined> {
    const rules = this.alone(host, signal, () => this.load(host, signal, limits)).then((loaded) => (signal.aborted ? undefined : loaded));
    const nowMs = this.clock.now();
    this.cache.set(host, { rules, expiresMs: nowMs + ROBOTS_MAX_AGE_SECONDS * 1_000 });
    const loaded = await rules;
    if (!loaded) this.cache.delete(host);
    else if (loaded.access === 'disallow_all') this.cache.set(host, { rules, expiresMs: nowMs + UNREADABLE_MAX_AGE_MS });
    return loaded;
  }

  private async load(host: string, signal: AbortSignal, limits: HostLimits): Promise<RobotsRules> {
    try {
      const page = await this.ask(host, signal, limits);
      if (!page) return robotsFromResponse({ failure: 'the host wants to be left alone' });
      const rules = robotsFromResponse({ status: page.status, body: page.body });
      this.noteGap(host, rules);
      return rules;
    } catch (error) {
      // Too many redirects count as no file (RFC 9309, 2.3.1.2).
      if (error instanceof PageError && (error.code === 'redirect_limit' || error.code === 'redirect_loop'))
        return robotsFromResponse({ status: 310, body: '' });
      return robotsFromResponse({ failure: error instanceof PageError ? error.message : 'the request failed' });
    }
  }

  /** The answer; undefined when the host did not let itself be asked. */
  private async ask(host: string, signal: AbortSignal, limits: HostLimits): Promise<Page | undefined> {
    const { fetcher, clock, privateTargets, pace } = this;
    const request = { ...REQUEST, url: `${host}/robots.txt`, privateTargets };
    return pace ? await fetchInTurn({ fetcher, clock, gate: pace.gate }, request, limits, signal) : await fetcher.fetch(request, signal);
  }

  /** Runs `load` when no other cache is asking the host for its file: the second keeps the pace that the first learns. */
  private async alone<T>(host: string, signal: AbortSignal, load: () => Promise<T>): Promise<T | undefined> {
    if (!this.pace) return await load();
    const { gate } = this.pace;
    const place = `robots of ${host}`;
    if (!(await takeTurn(gate, place, { inFlightMax: 1, gapMs: 0 }, this.clock, signal))) return undefined;
    try {
      return await load();
    } finally {
      gate.finish(place, { status: undefined, retryAtMs: undefined }, this.clock.now());
    }
  }

  /** A file that can't be read now takes back nothing of what it said before. */
  private noteGap(host: string, rules: RobotsRules): void {
    if (!this.pace || rules.access === 'disallow_all') return;
    const { crawlDelaySeconds = 0 } = selectAgentRules(rules, this.pace.agent);
    this.pace.gate.learnGap(host, crawlDelaySeconds * 1_000, this.clock.now());
  }
}
