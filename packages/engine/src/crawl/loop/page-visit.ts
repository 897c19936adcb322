// Fetches one address and decides what becomes of it.
import { PageError } from '../../errors.ts';
import type { RobotsDecision } from '../../robots/decide.ts';
import type { HostAnswer } from '../crawl-ports.ts';
import type { Skip } from '../ledger.ts';
import { settleCopy, settlePage } from '../judge/page-settlement.ts';
import { RedirectEnd, isElsewhere } from '../judge/redirect-trail.ts';
import type { RedirectTrail } from '../judge/redirect-trail.ts';
import { reachablePrivately } from '../hosts/reach-memory.ts';
import { isPageType } from '../links/scan-page.ts';
import { statusCode } from '../../lane/page-status.ts';
import type { LeasedUrl, Settlement, Verdict } from '../frontier-store.ts';
import { againAfter, findCopy, requestPage } from './page-request.ts';
import type { PageAnswer } from './page-request.ts';
import type { VisitContext } from './visit-context.ts';

/** What a request led to: a decision, or a reason to ask again. */
export type FetchOutcome<Result> =
  | {
      readonly kind: 'settled';
      readonly settlement: Settlement<Result>;
      /** Whether the addresses that redirects led through have lines in it. */
      readonly hasLines?: boolean;
    }
  | { readonly kind: 'retry'; readonly reason: string; readonly rule: string | undefined; readonly status: number | undefined }
  | { readonly kind: 'refused' }
  | { readonly kind: 'stopped' };

/** How a visit gets on with the hosts that it asks. */
export interface VisitPace {
  /** Called as soon as the host is free again. */
  readonly answered: (answer: HostAnswer) => void;
  /** Called with the bytes of a page that was fetched, which are held until the visit ends. */
  readonly holds: (bytes: number) => void;
  /** Called before a redirect is followed. Throws PageError where it may not be. */
  readonly beforeRedirect: (url: string, status: number) => Promise<void>;
}

/** What a visit needs beside its address. */
interface VisitParts<Result> extends VisitPace {
  readonly trail: RedirectTrail<Result>;
}

/** Fetches `leased`; `robots` is what the rules of its host say about the address. */
export async function visitPage<Result>(
  leased: LeasedUrl,
  robots: RobotsDecision | undefined,
  context: VisitContext<Result>,
  { answered, holds, beforeRedirect, trail }: VisitParts<Result>,
): Promise<FetchOutcome<Result>> {
  const { options, ports, signal } = context;
  const copy = await findCopy({ url: leased.url, lane: options.lane }, ports.sink);
  let asked: PageAnswer<Result>;
  try {
    const wantsBody = (contentType: string | undefined) => isPageType(contentType, leased.source === 'seed');
    const privateTargets = reachablePrivately(leased.parent, options.privateTargets, context.memory.reach);
    const held = leased.ignoresCanonical ? context.held.take(leased.url) : undefined;
    const fetcher = held ? { fetch: async () => held } : ports.fetcher;
    const request = { url: leased.url, lane: options.lane, privateTargets, beforeRedirect, wantsBody };
    asked = await requestPage(request, copy, { fetcher, clock: ports.clock }, signal);
  } catch (error) {
    noteFailure(error, leased, context);
    return failedFetch(error, leased, signal, answered, trail);
  }
  const { page, confirmed, answer, again } = asked;
  holds(page.body.byteLength);
  answered(answer);
  if (again && isElsewhere(page.url, leased.url, context.admission)) {
    const skip = { reason: 'redirect', rule: `redirects to ${page.url}` } as const;
    return { kind: 'settled', settlement: trail.settlementTo(page.url, skip, page.status), hasLines: true };
  }
  if (again === 'refused') return { kind: 'refused' };
  if (again) return { kind: 'retry', reason: statusCode(page.status), rule: `HTTP ${page.status}`, status: page.status };
  try {
    const settlement = confirmed ? await settleCopy(confirmed, leased, context) : await settlePage(page, leased, robots, context);
    const hasLines = isElsewhere(page.url, leased.url, context.admission);
    if (!hasLines) return { kind: 'settled', settlement };
    const verdict = settlement.owner ? { ...settlement.verdict, status: page.redirects[0]?.status ?? page.status } : settlement.verdict;
    return { kind: 'settled', settlement: { ...settlement, verdict, offers: [...trail.passed(page.url), ...settlement.offers] }, hasLines };
  } catch (error) {
    return failedPage(error, leased, page.status, signal);
  }
}

/** A wall to log in at refuses, as does a redirect to what robots may not ask for; what failed on its way says nothing of the address. */
function noteFailure<Result>(error: unknown, leased: LeasedUrl, { memory }: VisitContext<Result>): void {
  if (error instanceof RedirectEnd) memory.traps.observeEnd(leased.url, leased.parent, 'moved');
  else if (error instanceof PageError && (error.code === 'blocked' || error.code === 'robots'))
    memory.traps.observeEnd(leased.url, leased.parent, 'refused');
}

function failedFetch<Result>(
  error: unknown,
  leased: LeasedUrl,
  signal: AbortSignal,
  answered: (answer: HostAnswer) => void,
  trail: RedirectTrail<Result>,
): FetchOutcome<Result> {
  if (error instanceof RedirectEnd) {
    answered({ status: error.status, retryAtMs: undefined });
    return { kind: 'settled', settlement: trail.settlementTo(error.url ?? leased.url, error.skip, error.status), hasLines: true };
  }
  const { status, retryAtMs } = error instanceof PageError ? error : { status: undefined, retryAtMs: undefined };
  const again = againAfter(error);
  answered({ status: again === 'refused' ? 429 : status, retryAtMs });
  if (signal.aborted || !(error instanceof PageError)) return failedPage(error, leased, undefined, signal);
  if (again === 'refused') return { kind: 'refused' };
  if (again) return { kind: 'retry', reason: error.code, rule: error.message, status };
  return failedPage(error, leased, status, signal);
}

/** An error that is no PageError is a fault of ours: the address fails, the crawl goes on. */
function failedPage<Result>(error: unknown, leased: LeasedUrl, status: number | undefined, signal: AbortSignal): FetchOutcome<Result> {
  if (signal.aborted || (error instanceof PageError && error.next === 'stop')) return { kind: 'stopped' };
  const failure = error instanceof PageError ? error : { code: 'internal', message: undefined };
  return { kind: 'settled', settlement: { id: leased.id, verdict: verdictOfError(failure, status), offers: [] } };
}

/** What becomes of an address by the error that it ended with: some are reasons not to have asked. */
export function verdictOfError(
  { code, message: rule }: { readonly code: string; readonly message: string | undefined },
  status: number | undefined,
): Verdict<never> {
  const skips: Readonly<Record<string, Skip['reason']>> = { address: 'address', robots: 'robots', unsupported_type: 'content_type' };
  const reason = skips[code];
  return reason
    ? { outcome: 'skipped', skip: { reason, rule }, status, contentHash: undefined, aliasOf: undefined }
    : { outcome: 'failed', reason: code, rule, status };
}
