// A worker thread that reads pages, so that a heavy one never holds up the program.
import { threadCpuUsage } from 'node:process';
import { parentPort } from 'node:worker_threads';
import { PageError } from '../../errors.ts';
import type { ParseRequest } from '../../parse.ts';
import { parsePage } from '../../parse.ts';
import type { ViewRequest } from '../../views.ts';
import { readViews } from '../../views.ts';
import type { SelectRequest } from '../../select.ts';
import type { ViewAnswer, ViewTask, WorkName } from './messages.ts';

parentPort?.on('message', async (task: ViewTask) => {
  const before = threadCpuUsage();
  const outcome = await work(task);
  const { user, system } = threadCpuUsage(before);
  parentPort?.postMessage({ id: task.id, ...outcome, cpuMs: (user + system) / 1000 } satisfies ViewAnswer);
});

async function work(task: ViewTask): Promise<Pick<ViewAnswer, 'result' | 'failure'>> {
  try {
    return { result: await WORK[task.work](task.request) };
  } catch (error) {
    if (error instanceof PageError) return { failure: { code: error.code, message: error.message } };
    return { failure: { code: 'internal', message: `The page could not be read: ${(error as Error).message}` } };
  }
}

/** The pool pairs each name with its own request, which is what the casts say. */
const WORK: Readonly<Record<WorkName, (request: ViewTask['request']) => Promise<NonNullable<ViewAnswer['result']>>>> = {
  views: (request) => readViews(request as ViewRequest),
  parse: (request) => parsePage(request as ParseRequest),
  // Selectors bring the languages of XPath, JSONPath and RE2 with them, which take longer to load than a page takes to read.
  select: async (request) => (await import('../../select.ts')).selectParts(request as SelectRequest),
};
