// Fetches robots.txt once per host and day, or as recently as its reader wants.
import { PageError } from '../../errors.ts';
import type { PageErrorCode } from '../../errors.ts';
import type { Fetcher, NameMemory } from '../../ports.ts';
import { selectAgentRules } from '../../robots/decide.ts';
import { ROBOTS_MAX_AGE_SECONDS, robotsFromResponse } from '../../robots/response.ts';
import type { RobotsRules } from '../../robots/rules.ts';
import type { CrawlClock, HostGate, HostLimits, RobotsSource } from '../crawl-ports.ts';
import { fetchInTurn, notYet } from './host-turn.ts';

const REQUEST = {
  lane: 'http',
  redirectsMax: 5,
  /** Far beyond what is read of the text, so that a large file is cut rather than refused. */
  bodyBytesMax: 16_777_216,
  timeoutMs: 20_000,
} as const;
/** A file that could not be read is asked for again sooner: everything is forbidden until it can. */
const UNREADABLE_MAX_AGE_MS = 600_000;

/** Crawls that start together read the robots.txt of a host once. */
export const ROBOTS_SHARED_MS = 10_000;

/** For so long nobody looks again whether another process has been told. */
const FOUND_MS = 100;

const PACE: HostLimits = { inFlightMax: 2, gapMs: 0 };

/** Whether the host could not even be asked: whatever else is asked of it fails for the same reason. */
function isUnasked(code: PageErrorCode): code is 'address' | 'dns' | 'connect' | 'tls' {
  return code === 'address' || code === 'dns' || code === 'connect' || code === 'tls';
}

/** Rules that several processes share. */
export interface SharedRobots {
  /** What one of them was told at most so long ago, and how long ago that is. */
  find(host: string, ageMsMax: number): Promise<{ readonly rules: RobotsRules; readonly ageMs: number } | undefined>;
  /** Keeps what a host has just answered, for so long at most. */
  keep(host: string, rules: RobotsRules, forMs: number): Promise<void>;
}

/** The pace that the requests of a cache keep. */
export interface RobotsPace {
  readonly gate: HostGate;
  /** Product token that the group with the host's own delay is chosen by. */
  readonly agent: string;
  /** Where other processes look, for hosts that are public. */
  readonly shared?: SharedRobots;
}

interface CachedRules {
  /** Undefined when the caller who asked for them left, or did not want to wait for so long. */
  readonly rules: Promise<RobotsRules | undefined>;
  readonly askedMs: number;
  readonly expiresMs: number;
}

/** Robots rules over a fetcher. Hosts that are asked for at the same time share one request. */
export class RobotsCache implements RobotsSource {
  private readonly cache = new Map<string, CachedRules>();
  private readonly fetcher: Pick<Fetcher, 'fetch'>;
  private readonly clock: CrawlClock;
  private readonly privateTargets: readonly string[];
  private readonly pace: RobotsPace;

  constructor(fetcher: Pick<Fetcher, 'fetch'>, clock: CrawlClock, privateTargets: readonly string[], pace: RobotsPace) {
    this.fetcher = fetcher;
    this.clock = clock;
    this.privateTargets = privateTargets;
    this.pace = pace;
  }

  async rulesFor(host: string, signal: AbortSignal, limits: HostLimits = PACE, sinceMs = 0, names?: NameMemory): Promise<RobotsRules> {
    for (;;) {
      // Whoever is stopped learns nothing, which says nothing about the host.
      if (signal.aborted) return robotsFromResponse({ failure: 'the request was stopped' });
      const cached = this.cache.get(host);
      const isFresh = cached !== undefined && cached.expiresMs > this.clock.steadyMs() && cached.askedMs >= sinceMs;
      if (!isFresh) return await this.begin(host, signal, limits, sinceMs, names);
      const rules = await this.waitFor(cached.rules, signal, limits.untilMs);
      if (rules) return rules;
      if (limits.untilMs !== undefined && this.clock.steadyMs() >= limits.untilMs) return await this.notYet(host);
    }
  }

  /** Asks, for all who want to know meanwhile. What was not answered is no rule for others, who may wait longer or reach further. */
  private async begin(
    host: string,
    signal: AbortSignal,
    limits: HostLimits,
    sinceMs: number,
    names: NameMemory | undefined,
  ): Promise<RobotsRules> {
    const { promise, resolve } = Promise.withResolvers<RobotsRules | undefined>();
    const nowMs = this.clock.steadyMs();
    const cached = { rules: promise, askedMs: nowMs, expiresMs: nowMs + ROBOTS_MAX_AGE_SECONDS * 1_000 };
    this.cache.set(host, cached);
    const ageMsMax = nowMs - sinceMs;
    const find = () => this.findShared(host, ageMsMax);
    const load = () => this.loadToShare(host, () => this.load(host, signal, limits, names), signal);
    const ask = async () => (await find()) ?? (await this.alone(host, signal, limits, find, load));
    const said = await ask().catch((error: unknown) => {
      // What failed is ours, such as lines whose store is away: the host said nothing, and whoever waits asks for themselves.
      this.cache.delete(host);
      resolve(undefined);
      throw error;
    });
    const rules = { askedMs: nowMs, ...said };
    const maxAgeMs = rules.access === 'disallow_all' ? UNREADABLE_MAX_AGE_MS : ROBOTS_MAX_AGE_SECONDS * 1_000;
    if (signal.aborted || rules.unasked) this.cache.delete(host);
    else this.cache.set(host, { ...cached, askedMs: rules.askedMs, expiresMs: rules.askedMs + maxAgeMs });
    resolve(signal.aborted || rules.unasked ? undefined : rules);
    return rules;
  }

  /** What another process was told not long ago; undefined where none was. */
  private async findShared(host: string, ageMsMax: number): Promise<RobotsRules | undefined> {
    const found = await this.shared?.find(host, ageMsMax);
    if (!found) return undefined;
    await this.noteGap(host, found.rules);
    return { ...found.rules, askedMs: this.clock.steadyMs() - found.ageMs };
  }

  /** What `load` answers, for others to find. */
  private async loadToShare(host: string, load: () => Promise<RobotsRules>, signal: AbortSignal): Promise<RobotsRules> {
    const rules = await load();
    const forMs = rules.access === 'disallow_all' ? UNREADABLE_MAX_AGE_MS : ROBOTS_MAX_AGE_SECONDS * 1_000;
    if (!rules.unasked && !signal.aborted) await this.shared?.keep(host, rules, forMs);
    return rules;
  }

  private get shared(): SharedRobots | undefined {
    return this.privateTargets.length > 0 ? undefined : this.pace.shared;
  }

  private async load(host: string, signal: AbortSignal, limits: HostLimits, names: NameMemory | undefined): Promise<RobotsRules> {
    try {
      const { fetcher, clock, privateTargets, pace } = this;
      const request = { ...REQUEST, url: `${host}/robots.txt`, privateTargets, ...(names ? { names } : {}) };
      const page = await fetchInTurn({ fetcher, clock, gate: pace.gate }, request, limits, signal);
      if (!page) return await this.notYet(host);
      const rules = robotsFromResponse({ status: page.status, body: page.body });
      await this.noteGap(host, rules);
      return URL.parse(page.url)?.origin === host ? { ...rules, reach: page.reach ?? 'public' } : rules;
    } catch (error) {
      if (signal.aborted) return robotsFromResponse({ failure: 'the request was stopped' });
      if (!(error instanceof PageError)) throw error;
      const { code, message } = error;
      // Too many redirects count as no file (RFC 9309, 2.3.1.2).
      if (code === 'redirect_limit' || code === 'redirect_loop') return robotsFromResponse({ status: 310, body: '' });
      return robotsFromResponse(isUnasked(code) ? { code, message } : { failure: message, unread: { code, message } });
    }
  }

  /** What others have asked for; undefined when it does not come before the abort or `untilMs`. */
  private async waitFor(rules: CachedRules['rules'], signal: AbortSignal, untilMs: number | undefined): Promise<RobotsRules | undefined> {
    const [ended, { promise: stopped, resolve }] = [new AbortController(), Promise.withResolvers<undefined>()];
    const stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    if (untilMs !== undefined) void this.clock.sleepUntil(untilMs, ended.signal).then(stop);
    try {
      return await Promise.race([rules, stopped]);
    } finally {
      signal.removeEventListener('abort', stop);
      ended.abort();
    }
  }

  private async notYet(host: string): Promise<RobotsRules> {
    const { message } = await notYet(`${host}/`, this.pace.gate, this.clock);
    return robotsFromResponse({ code: 'rate_limited', message });
  }

  /** Runs `load` when no other cache is asking the host for its file: the second finds what the first was told, and keeps its pace. */
  private async alone(
    host: string,
    signal: AbortSignal,
    limits: HostLimits,
    find: () => Promise<RobotsRules | undefined>,
    load: () => Promise<RobotsRules>,
  ): Promise<RobotsRules> {
    const beganMs = this.clock.steadyMs();
    let hasWaited = false;
    const grant = await this.pace.gate.take(`robots of ${host}`, { ...limits, inFlightMax: 1, gapMs: 0 }, signal, () => (hasWaited = true));
    if (!grant) return await this.notYet(host);
    try {
      const isLate = hasWaited || this.clock.steadyMs() - beganMs > FOUND_MS;
      return (isLate ? await find() : undefined) ?? (await load());
    } finally {
      await grant.end({ status: undefined, retryAtMs: undefined });
    }
  }

  /** A file that can't be read now takes back nothing of what it said before. */
  private async noteGap(host: string, rules: RobotsRules): Promise<void> {
    if (rules.access === 'disallow_all') return;
    const { crawlDelaySeconds = 0 } = selectAgentRules(rules, this.pace.agent);
    await this.pace.gate.learnGap(host, crawlDelaySeconds * 1_000);
  }
}
