// The run of one page: the same ledger and the same record as those of a larger crawl (D26).
import type { RunFailure } from '@weft/contract';
import { PageError } from '../../errors.ts';
import type { PageSink } from '../crawl-ports.ts';
import type { KeptPage } from '../keep/page-copies.ts';
import { leaseOnlyPage, visitOnlyPage } from '../loop/only-page.ts';
import type { CrawlOptions } from '../options.ts';
import { methodOf } from '../sending.ts';
import type { Verdict } from '../frontier-store.ts';
import type { CrawlWorkPorts, RunEventBody } from './work-ports.ts';

/** Fetches, reads and keeps the page at `url`. Its failure is a result; only what nobody expected is thrown. */
export async function workOnlyPage(
  url: string,
  options: CrawlOptions,
  ports: CrawlWorkPorts & { readonly sink: PageSink<KeptPage> },
  signal: AbortSignal,
): Promise<RunFailure | undefined> {
  const { store, clock } = ports;
  const leased = await leaseOnlyPage(store, url, clock.steadyMs());
  if (leased === undefined) return undefined;
  const startedMs = clock.steadyMs();
  const step = { type: 'step', index: 0, step_type: 'fetch' } as const;
  const elapsed = () => ({ duration_ms: Math.max(0, clock.steadyMs() - startedMs) });
  const finish = async (verdict: Verdict<KeptPage>, ...events: readonly RunEventBody[]) => {
    await store.settle([{ id: leased.id, verdict, offers: [] }]);
    for (const event of events) await ports.tell(event);
  };
  await ports.tell({ ...step, status: 'started', url });
  try {
    const isAskedOnce = ports.send !== undefined && methodOf(ports.send) !== 'GET';
    const verdict = await visitOnlyPage(leased, { ...options, isAskedOnce }, ports, signal);
    const done = { ...step, status: 'succeeded', lane: verdict.result.record.lane, url: verdict.finalUrl, ...elapsed() } as const;
    await finish(verdict, done, { type: 'data', rows: 1 });
    return undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = ports.failureOf(error);
    const { code, status } = error instanceof PageError ? error : { code: 'internal', status: undefined };
    const verdict = { outcome: 'failed', reason: code, rule: failure.message, status } as const;
    await finish(verdict, { ...step, status: 'failed', message: failure.message, ...elapsed() });
    if (!(error instanceof PageError)) throw error;
    return failure;
  }
}
