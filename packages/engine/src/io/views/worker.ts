// A worker thread that reads pages, so that a heavy one never holds up the program.
import { parentPort } from 'node:worker_threads';
import { PageError } from '../../errors.ts';
import { readViews } from '../../views.ts';
import type { ViewAnswer, ViewTask } from './messages.ts';

parentPort?.on('message', ({ id, request }: ViewTask) => parentPort?.postMessage(answer(id, request)));

function answer(id: number, request: ViewTask['request']): ViewAnswer {
  try {
    return { id, views: readViews(request) };
  } catch (error) {
    if (error instanceof PageError) return { id, failure: { code: error.code, message: error.message } };
    return { id, failure: { code: 'internal', message: `The page could not be read: ${(error as Error).message}` } };
  }
}
