// A worker thread that reads pages, so that a heavy one never holds up the program.
import { threadCpuUsage } from 'node:process';
import { parentPort } from 'node:worker_threads';
import type { EvidenceRequest } from '../../build/evidence/read-evidence.ts';
import type { DetailRequest } from '../../build/details/read-detail.ts';
import type { SightRequest } from '../../build/ai/sight.ts';
import type { ExportRequest } from '../../monitor/exchange/configuration.ts';
import type { ImportRequest } from '../../monitor/exchange/exchange.ts';
import type { DiffRequest } from '../../diff/diff.ts';
import { PageError } from '../../errors.ts';
import type { CheckRequest } from '../../monitor/check-page.ts';
import type { ParseRequest } from '../../page/parse.ts';
import type { SelectRequest } from '../../page/select.ts';
import type { WorkName } from '../../page/view-work.ts';
import type { ReadingRequest, ReadingResult } from '../../run/reading/read-page.ts';
import type { ViewRequest } from '../../page/views.ts';
import { readViews } from '../../page/views.ts';
import { READY } from './messages.ts';
import type { ViewAnswer, ViewTask } from './messages.ts';

parentPort?.on('message', async (task: ViewTask) => {
  const before = threadCpuUsage();
  const outcome = await work(task);
  const { user, system } = threadCpuUsage(before);
  parentPort?.postMessage({ id: task.id, ...outcome, cpuMs: (user + system) / 1000 } satisfies ViewAnswer);
});

parentPort?.postMessage(READY);

async function work(task: ViewTask): Promise<Pick<ViewAnswer, 'result' | 'failure'>> {
  try {
    return { result: await WORK[task.work](task.request) };
  } catch (error) {
    if (error instanceof PageError) return { failure: { code: error.code, message: error.message } };
    return { failure: { code: 'internal', message: `The page could not be read: ${(error as Error).message}` } };
  }
}

type Readings = (request: ReadingRequest) => Promise<ReadingResult>;
let readings: Promise<Readings> | undefined;

/** What answers the questions of steps; it holds the page that was asked about last. */
async function loadReadings(): Promise<Readings> {
  const [{ readPage }, { LastDocument }] = await Promise.all([
    import('../../run/reading/read-page.ts'),
    import('../../run/reading/last-document.ts'),
  ]);
  const last = new LastDocument();
  return async (request) => await readPage(request, last);
}

/** The pool pairs each name with its own request, which is what the casts say. Most work is views; what the rest needs besides is loaded when it comes. */
const WORK: Readonly<Record<WorkName, (request: ViewTask['request']) => Promise<NonNullable<ViewAnswer['result']>>>> = {
  views: (request) => readViews(request as ViewRequest),
  parse: async (request) => (await import('../../page/parse.ts')).parsePage(request as ParseRequest),
  reading: async (request) => (await (readings ??= loadReadings()))(request as ReadingRequest),
  evidence: async (request) => (await import('../../build/evidence/read-evidence.ts')).readEvidence(request as EvidenceRequest),
  detail: async (request) => (await import('../../build/details/read-detail.ts')).readDetail(request as DetailRequest),
  check: async (request) => (await import('../../monitor/check-page.ts')).checkPage(request as CheckRequest),
  diff: async (request) => (await import('../../diff/diff.ts')).diff(request as DiffRequest),
  read_monitors: async (request) => (await import('../../monitor/exchange/read-monitors.ts')).readMonitors(request as ImportRequest),
  write_monitors: async (request) => (await import('../../monitor/exchange/configuration.ts')).writeConfiguration(request as ExportRequest),
  sight: async (request) => (await import('../../build/ai/sight.ts')).readSight(request as SightRequest),
  select: async (request) => (await import('../../page/select.ts')).selectParts(request as SelectRequest),
};
