// Looks with one selector at the live page, as a check would, and keeps nothing.
import { PageError } from '../errors.ts';
import { bringPage } from './bring-page.ts';
import type { BroughtPage } from './bring-page.ts';
import type { CheckPorts, CheckSubject } from './check-ports.ts';
import { faultOfElement } from './faults.ts';
import type { PageReading, TargetPlan, TargetReading } from './plan.ts';
import { readBrought } from './read-brought.ts';

/** What came. */
export interface Probe {
  readonly page: Pick<BroughtPage, 'source' | 'status' | 'lane' | 'picture' | 'boxes'>;
  readonly reading: PageReading;
  readonly target: TargetReading;
  readonly fetchMs: number;
  readonly readMs: number;
}

/** How it looks. */
export interface ProbeOptions {
  /** A baseline is recorded as if there were none. */
  readonly isAnew?: boolean;
  /** It looks in a browser, and takes a picture; only of a page that is asked for by GET. */
  readonly withPicture?: boolean;
}

/** Reads selector `targetId` of `subject` on its page as it is now. Throws PageError for a page that can't be had or read. */
export async function probeTarget(
  subject: CheckSubject,
  targetId: number,
  { isAnew = false, withPicture = false }: ProbeOptions,
  ports: CheckPorts,
  signal: AbortSignal,
): Promise<Probe> {
  const { clock } = ports;
  const wanted = subject.targets.find(({ id }) => id === targetId);
  if (!wanted) throw new PageError('internal', `The monitor has no selector ${targetId}.`);
  const target = isAnew ? { ...wanted, baseline: undefined } : wanted;
  const source = withPicture ? pictured(subject.source, wanted) : subject.source;
  const only: CheckSubject = { ...subject, source, targets: [target], lastPage: undefined };
  const startedMs = clock.steadyMs();
  const page = await bringPage(only, ports, signal);
  const broughtMs = clock.steadyMs();
  const { reading } = await readBrought(only, page, ports, signal, { wantsAlternates: true });
  const read = reading.targets[0];
  if (!read) throw new PageError('internal', `Selector ${targetId} was not read.`);
  const lasted = (fromMs: number, toMs: number) => Math.max(0, Math.round(toMs - fromMs));
  return { page, reading, target: read, fetchMs: lasted(startedMs, broughtMs), readMs: lasted(broughtMs, clock.steadyMs()) };
}

/** The picture shows what the selector finds, else what its alternates do. Values of JSON and patterns have no place in it. */
function pictured(source: CheckSubject['source'], { selector, baseline }: TargetPlan): CheckSubject['source'] {
  if (source.kind !== 'page') return source;
  const boxesOf = [selector, ...(baseline?.alternates ?? [])].filter((one) => faultOfElement(one) === undefined);
  const browser = { ...source.request.browser, screenshot: 'full', boxesOf } as const;
  return { ...source, request: { ...source.request, lane: 'browser', browser } };
}
