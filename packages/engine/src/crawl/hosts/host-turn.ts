// Asks a host for other things than the pages of a crawl, at the pace that its pages keep.
import { PageError } from '../../errors.ts';
import type { FetchRequest, Fetcher, Page, Reach } from '../../ports.ts';
import type { CrawlClock, HostAnswer, HostGate, HostGrant, HostLimits } from '../crawl-ports.ts';
import { isRefusal, retryAtOf } from './host-pace.ts';

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
  const grant = await gate.take(host, limits, signal);
  if (!grant) return undefined;
  const turn = new HostTurn({ host, grant }, { gate, clock }, () => undefined);
  const beforeRedirect = async (url: string, status: number, reach: Reach) => {
    await request.beforeRedirect?.(url, status, reach);
    await turn.end({ status, retryAtMs: undefined });
    await turn.take(url, limits, signal);
  };
  let answer: HostAnswer = { status: undefined, retryAtMs: undefined };
  try {
    const page = await fetcher.fetch({ ...request, beforeRedirect }, signal);
    answer = answerOf(page, clock);
    return page;
  } finally {
    await turn.end(answer);
  }
}

/** A place with the host that it is at. */
export interface PlaceAtHost {
  readonly host: string;
  readonly grant: HostGrant;
}

/** The place that one visit holds: at the host of its address, then wherever redirects lead it. */
export class HostTurn {
  private place: PlaceAtHost | undefined;
  private readonly ports: Omit<HostTurnPorts, 'fetcher'>;
  private readonly onFree: () => void;

  /** The visit holds `place`; `onFree` is called each time that it gives one back. */
  constructor(place: PlaceAtHost, ports: Omit<HostTurnPorts, 'fetcher'>, onFree: () => void) {
    this.place = place;
    this.ports = ports;
    this.onFree = onFree;
  }

  /** The host where a place is held; undefined between two. */
  get at(): string | undefined {
    return this.place?.host;
  }

  /** Gives the place back, if there is one. */
  async end(answer: HostAnswer): Promise<void> {
    if (!this.place) return;
    const { grant } = this.place;
    this.place = undefined;
    const ended = grant.end(answer);
    this.onFree();
    await ended;
  }

  /** Takes a place at the host of `url`. Throws PageError `aborted`, and `rate_limited` where the host wants to be left alone too long. */
  async take(url: string, limits: HostLimits, signal: AbortSignal): Promise<void> {
    const { gate, clock } = this.ports;
    const host = new URL(url).origin;
    const grant = await gate.take(host, limits, signal);
    if (grant) this.place = { host, grant };
    else if (signal.aborted) throw new PageError('aborted', 'The request was stopped.', { url });
    else throw await notYet(url, gate, clock, 'redirects to ');
  }
}

/** The error for `url`, whose host did not let itself be asked in time; says when it does. */
export async function notYet(url: string, gate: Pick<HostGate, 'restOf'>, clock: CrawlClock, prefix = ''): Promise<PageError> {
  const { restsUntilMs } = await gate.restOf(new URL(url).origin);
  const leftMs = restsUntilMs - clock.steadyMs();
  const wish = leftMs > 0 ? `wants to be left alone until ${new Date(clock.now() + leftMs).toISOString()}` : 'is being asked by others';
  const message = `${prefix}${url}: its host ${wish}. Ask again then.`;
  return new PageError('rate_limited', message, { url, retryAtMs: restsUntilMs, next: 'drop' });
}

/** What `page` says of the pace of its host. */
export function answerOf(page: Page, clock: CrawlClock): HostAnswer {
  const retryAfter = page.headers.find(([name]) => name === 'retry-after')?.[1];
  return { status: page.status, retryAtMs: retryAtOf(retryAfter, clock) };
}
