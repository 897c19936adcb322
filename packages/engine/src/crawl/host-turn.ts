// Asks a host for other things than the pages of a crawl, at the pace that its pages keep.
import { PageError } from '../errors.ts';
import type { FetchRequest, Fetcher, Page, Reach } from '../ports.ts';
import type { CrawlClock, HostAnswer, HostGate, HostLimits } from './crawl-ports.ts';
import { isRefusal, retryAtOf } from './host-pace.ts';

/** A host that refuses for so long, or asks to be left alone for longer, is given up. */
export const HOST_PATIENCE_MS = 900_000;
/** How soon a place that somebody else holds is asked for again. */
const ASK_AGAIN_MS = 50;
/** A host that says when it will answer is asked again then, so often at most. */
const ASKED_MAX = 5;

/** What fetches, what admits to hosts, and the clock that is waited on. */
export interface HostTurnPorts {
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly gate: HostGate;
  readonly clock: CrawlClock;
}

/** `askInTurn`, and again where the host refuses and says until when. */
export async function fetchInTurn(
  ports: HostTurnPorts,
  request: FetchRequest,
  limits: HostLimits,
  signal: AbortSignal,
): Promise<Page | undefined> {
  for (let asked = 1; ; asked++) {
    const page = await askInTurn(ports, request, limits, signal);
    if (page === undefined || asked >= ASKED_MAX) return page;
    const answer = answerOf(page, ports.clock);
    if (!isRefusal(answer) || answer.retryAtMs === undefined) return page;
  }
}

/**
 * The answer to `request`, asked for when its host may be asked, and so at each redirect. Undefined when `signal` aborts before the host
 * may be asked, when that is not before `limits.untilMs`, and when the host wants to be left alone for more than a quarter of an hour.
 * Throws what the fetcher throws.
 */
export async function askInTurn(
  { fetcher, gate, clock }: HostTurnPorts,
  request: FetchRequest,
  limits: HostLimits,
  signal: AbortSignal,
): Promise<Page | undefined> {
  const host = new URL(request.url).origin;
  if (!(await takeTurn(gate, host, limits, clock, signal))) return undefined;
  const turn = new HostTurn(host, { gate, clock }, () => undefined);
  const beforeRedirect = async (url: string, status: number, reach: Reach) => {
    await request.beforeRedirect?.(url, status, reach);
    turn.end({ status, retryAtMs: undefined });
    await turn.take(url, limits, signal);
  };
  let answer: HostAnswer = { status: undefined, retryAtMs: undefined };
  try {
    const page = await fetcher.fetch({ ...request, beforeRedirect }, signal);
    answer = answerOf(page, clock);
    return page;
  } finally {
    turn.end(answer);
  }
}

/** The place that one visit holds: at the host of its address, then wherever redirects lead it. */
export class HostTurn {
  private host: string | undefined;
  private readonly ports: Omit<HostTurnPorts, 'fetcher'>;
  private readonly onFree: () => void;

  /** The visit holds a place at `host`; `onFree` is called each time that it gives one back. */
  constructor(host: string, ports: Omit<HostTurnPorts, 'fetcher'>, onFree: () => void) {
    this.host = host;
    this.ports = ports;
    this.onFree = onFree;
  }

  /** The host where a place is held; undefined between two. */
  get at(): string | undefined {
    return this.host;
  }

  /** Gives the place back, if there is one. */
  end(answer: HostAnswer): void {
    if (this.host === undefined) return;
    this.ports.gate.finish(this.host, answer, this.ports.clock.steadyMs());
    this.host = undefined;
    this.onFree();
  }

  /** Takes a place at the host of `url`. Throws PageError `aborted`, and `rate_limited` where the host wants to be left alone too long. */
  async take(url: string, limits: HostLimits, signal: AbortSignal): Promise<void> {
    const { gate, clock } = this.ports;
    const host = new URL(url).origin;
    if (await takeTurn(gate, host, limits, clock, signal)) this.host = host;
    else if (signal.aborted) throw new PageError('aborted', 'The request was stopped.', { url });
    else throw notYet(url, gate, clock, 'redirects to ');
  }
}

/** The error for `url`, whose host did not let itself be asked in time; says when it does. */
export function notYet(url: string, gate: HostGate, clock: CrawlClock, prefix = ''): PageError {
  const untilMs = gate.restsUntilMs(new URL(url).origin);
  const leftMs = untilMs - clock.steadyMs();
  const wish = leftMs > 0 ? `wants to be left alone until ${new Date(clock.now() + leftMs).toISOString()}` : 'is being asked by others';
  return new PageError('rate_limited', `${prefix}${url}: its host ${wish}. Ask again then.`, { url, retryAtMs: untilMs, next: 'drop' });
}

/** Waits for a place at `host`; each `true` needs a `finish`. False when `signal` aborts, and when there is none by `limits.untilMs` or the host wants to be left alone too long. */
export async function takeTurn(gate: HostGate, host: string, limits: HostLimits, clock: CrawlClock, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const nowMs = clock.steadyMs();
    if (signal.aborted || gate.blockedUntilMs(host) - nowMs > HOST_PATIENCE_MS) return false;
    const atMs = gate.tryStart(host, limits, nowMs);
    if (atMs === 0) return true;
    const againMs = Number.isFinite(atMs) ? atMs : nowMs + ASK_AGAIN_MS;
    if (limits.untilMs !== undefined && againMs > limits.untilMs) return false;
    await clock.sleepUntil(againMs, signal);
  }
}

function answerOf(page: Page, clock: CrawlClock): HostAnswer {
  const retryAfter = page.headers.find(([name]) => name === 'retry-after')?.[1];
  return { status: page.status, retryAtMs: retryAtOf(retryAfter, clock) };
}
