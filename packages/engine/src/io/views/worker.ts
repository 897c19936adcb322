// A worker thread that reads pages, so that a heavy one never holds up the program.
import { threadCpuUsage } from 'node:process';
import { parentPort } from 'node:worker_threads';
import { PageError } from '../../errors.ts';
import type { ParseRequest } from '../../parse.ts';
import { parsePage } from '../../parse.ts';
import type { ViewRequest } from '../../views.ts';
import { readViews } from '../../views.ts';
import type { ViewAnswer, ViewTask } from './messages.ts';

parentPort?.on('message', async (task: ViewTask) => {
  const before = threadCpuUsage();
  const outcome = await work(task);
  const { user, system } = threadCpuUsage(before);
  parentPort?.postMessage({ id: task.id, ...outcome, cpuMs: (user + system) / 1000 } satisfies ViewAnswer);
});

async function work(task: ViewTask): Promise<Pick<ViewAnswer, 'result' | 'failure'>> {
  try {
    // The pool pairs each name with its own request.
    return { result: await (task.work === 'views' ? readViews(task.request as ViewRequest) : parsePage(task.request as ParseRequest)) };
  } catch (error) {
    if (error instanceof PageError) return { failure: { code: error.code, message: error.message } };
    return { failure: { code: 'internal', message: `The page could not be read: ${(error as Error).message}` } };
  }
}
