// Runs the engine's batch program. The command line never loads the engine.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const BATCH_MAIN = fileURLToPath(new URL('../../engine/src/batch-main.ts', import.meta.url));

/** Hands standard input and output to the batch program; its exit code. */
export function pipeBatch(mode: 'parse' | 'robots'): Promise<number> {
  const child = spawn(process.execPath, [BATCH_MAIN, mode], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** The result of one job. */
export async function runJob(mode: 'parse' | 'robots' | 'markdown', job: object): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, [BATCH_MAIN, mode], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(`${JSON.stringify(job)}\n`);
  return JSON.parse(await text(child.stdout)) as Record<string, unknown>;
}
