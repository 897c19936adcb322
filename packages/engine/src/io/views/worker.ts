// A worker thread that reads pages, so that a heavy one never holds up the program.
import { threadCpuUsage } from 'node:process';
import { parentPort } from 'node:worker_threads';
import { PageError } from '../../errors.ts';
import type { ParseRequest } from '../../parse.ts';
import { parsePage } from '../../parse.ts';
import type { ViewRequest } from '../../views.ts';
import { readViews } from '../../views.ts';
import type { ViewAnswer, ViewTask } from './messages.ts';

parentPort?.on('message', (task: ViewTask) => {
  const before = threadCpuUsage();
  const outcome = work(task);
  const { user, system } = threadCpuUsage(before);
  parentPort?.postMessage({ id: task.id, ...outcome, cpuMs: (user + system) / 1000 } satisfies ViewAnswer);
});

function work(task: ViewTask): Pick<ViewAnswer, 'result' | 'failure'> {
  try {
    // The pool pairs each name with its own request.
    return { result: task.work === 'views' ? readViews(task.request as ViewRequest) : parsePage(task.request as ParseRequest) };
  } catch (error) {
    if (error instanceof PageError) return { failure: { code: error.code, message: error.message } };
    return { failure: { code: 'internal', message: `The page could not be read: ${(error as Error).message}` } };
  }
}
