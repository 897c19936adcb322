// Reads the page that was brought, and once more with the pictures in it where extractors want to see those.
import { bringPictures } from './bring-pictures.ts';
import type { BroughtPage } from './bring-page.ts';
import type { CheckReading } from './check-page.ts';
import type { CheckPorts, CheckSubject } from './check-ports.ts';
import type { ReadingPlan } from './plan.ts';
import type { JudgeRequest } from './verdict/judgement.ts';

/** What was read, and sentences about the pictures for the trace. */
export interface BroughtReading extends CheckReading {
  readonly hasPictures: boolean;
  readonly reasons: readonly string[];
  /** CPU that it took, in milliseconds. */
  readonly cpuMs: number;
  /** For how many milliseconds it waited for its turn before. */
  readonly queuedMs: number;
}

/** Throws PageError for a page that can't be read; a picture that can't be had is the problem of its value. */
export async function readBrought(
  subject: CheckSubject,
  brought: BroughtPage,
  { views, clock }: Pick<CheckPorts, 'views' | 'clock'>,
  signal: AbortSignal,
  more: Pick<ReadingPlan, 'wantsAlternates'> = {},
): Promise<BroughtReading> {
  const plan = { ...planOf(subject, brought, clock.now()), ...more };
  const judge = judgeRequest(subject, clock.now());
  const startedMs = clock.steadyMs();
  const { result, cpuMs } = await views.run('check', { plan, judge }, signal);
  const queuedMs = Math.max(0, clock.steadyMs() - startedMs - cpuMs);
  if (result.reading.pictures.length === 0) return { ...result, hasPictures: false, reasons: [], cpuMs, queuedMs };
  const { pictures, reasons } = await bringPictures(result.reading.pictures, brought.askForPicture, clock.now());
  const again = await views.run('check', { plan: { ...plan, pictures }, judge }, signal);
  return { ...again.result, hasPictures: true, reasons, cpuMs: cpuMs + again.cpuMs, queuedMs };
}

/** What a check of `subject` is judged by. */
export function judgeRequest({ settings, targets, known }: CheckSubject, nowMs: number): JudgeRequest {
  return { settings, targets: targets.map((target) => target.settings), known, nowMs };
}

function planOf(subject: CheckSubject, { source, status, headers, requestedUrl }: BroughtPage, nowMs: number): ReadingPlan {
  const targets = subject.targets.map(({ settings: _settings, ...target }) => target);
  // What the monitor accepts as a page is read as one.
  const isAccepted = subject.source.kind === 'page' && subject.source.acceptStatuses.includes(status);
  return {
    source,
    status: isAccepted ? 200 : status,
    headers,
    requestedUrl,
    ...(subject.source.kind === 'page' && subject.source.personaId !== undefined ? { personaId: subject.source.personaId } : {}),
    watch: subject.watch,
    filter: subject.settings.filter,
    targets,
    captureMs: nowMs,
  };
}
