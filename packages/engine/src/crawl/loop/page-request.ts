// Asks for the page of one address, and tells what another try may change. What the page is to whoever asked for it is decided elsewhere.
import { PageError } from '../../errors.ts';
import type { FetchRequest, Page } from '../../ports.ts';
import type { ConfirmableCopy, CrawlClock, HostAnswer, PageCopy, PageSink } from '../crawl-ports.ts';
import { isRefusal } from '../hosts/host-pace.ts';
import { answerOf } from '../hosts/host-turn.ts';
import type { HostTurnPorts } from '../hosts/host-turn.ts';

/** Why an address is asked for again: `retry` spends an attempt, `refused` waits for its host and spends none. */
export type Again = 'retry' | 'refused';

/** What came for an address. */
export interface PageAnswer<Result> {
  readonly page: Page;
  /** The copy that its host has confirmed; undefined where the page itself came. */
  readonly confirmed: PageCopy<Result> | undefined;
  readonly answer: HostAnswer;
  /** Undefined where another try would bring the same. */
  readonly again: Again | undefined;
}

/** An address that failed so often is given up. */
const ATTEMPTS_MAX = 3;
const RETRY_FIRST_MS = 1_000;
/** Statuses that another try may change. */
const RETRIED_STATUS = new Set([408, 425, 500, 502, 504, 520, 521, 522, 523, 524]);

/** The copy of `url` that its host is asked to confirm; those of rendered pages can't be confirmed. */
export async function findCopy<Result>(
  { url, lane }: Pick<FetchRequest, 'url' | 'lane'>,
  sink: Pick<PageSink<Result>, 'findConfirmable'>,
): Promise<ConfirmableCopy<Result> | undefined> {
  return lane === 'browser' ? undefined : await sink.findConfirmable?.(url);
}

/** Asks for `request`, with the validators of `copy` where there is one. Throws what the fetcher throws. */
export async function requestPage<Result>(
  request: FetchRequest,
  copy: ConfirmableCopy<Result> | undefined,
  { fetcher, clock }: Pick<HostTurnPorts, 'fetcher' | 'clock'>,
  signal: AbortSignal,
): Promise<PageAnswer<Result>> {
  const page = await fetcher.fetch(copy ? { ...request, validators: copy.validators } : request, signal);
  const answer = answerOf(page, clock);
  const retried = RETRIED_STATUS.has(page.status) ? 'retry' : undefined;
  const confirmed = page.status === 304 && page.fromCache ? copy : undefined;
  return { page, confirmed, answer, again: isRefusal(answer) ? 'refused' : retried };
}

/** Whether an address is asked for again after `error`; undefined for what another try would not change, and for faults of ours. */
export function againAfter(error: unknown): Again | undefined {
  if (!(error instanceof PageError)) return undefined;
  if (error.next === 'retry_later') return 'refused';
  return error.next === 'retry' ? 'retry' : undefined;
}

/** How long an address that has failed `attempts` times, at least once, waits for the next, in milliseconds; undefined when it is given up. */
export function retryDelayMs(attempts: number): number | undefined {
  return attempts < ATTEMPTS_MAX ? RETRY_FIRST_MS * 4 ** (attempts - 1) : undefined;
}

/** The last answer to `ask`, which is called again where another try may bring the page. Throws what the last call threw. */
export async function askUntilAnswered<Result>(
  ask: () => Promise<PageAnswer<Result>>,
  clock: CrawlClock,
  signal: AbortSignal,
): Promise<PageAnswer<Result>> {
  for (let attempts = 1; ; attempts++) {
    const delayMs = retryDelayMs(attempts);
    try {
      const answer = await ask();
      if (answer.again !== 'retry' || delayMs === undefined) return answer;
    } catch (error) {
      if (againAfter(error) !== 'retry' || delayMs === undefined || signal.aborted) throw error;
    }
    await clock.sleepUntil(clock.steadyMs() + delayMs, signal);
  }
}
