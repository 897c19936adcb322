// The programs of the cloud, each a process of its own. The command line never loads their code.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Environment } from './environment.ts';
import { CommandError, EXIT } from './exit.ts';

const MAIN = fileURLToPath(new URL('../../cloud/src/main.ts', import.meta.url));

/** Runs a cloud in the foreground; its exit code. Signals reach it. */
export async function runCloud({ variables }: Environment, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ['--disable-sigusr1', MAIN, ...args], { stdio: 'inherit', env: variables });
  process.on('SIGTERM', (signal) => void child.kill(signal));
  // A terminal sends SIGINT to the whole group; forwarding it again would count as a second one.
  process.on('SIGINT', () => undefined);
  return await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** What the cloud's own administration answers to `args`, as JSON. Throws CommandError with its words where it refuses. */
export async function askAdmin({ variables }: Environment, args: readonly string[], signal: AbortSignal): Promise<unknown> {
  const child = spawn(process.execPath, [MAIN, 'accounts', ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: variables, signal });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const [out, said, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) return JSON.parse(out) as unknown;
  const isUsage = code === EXIT.usage || code === EXIT.notFound;
  throw new CommandError(said.trim().replace(/^weft: /, '') || 'The administration of the cloud ended without a word.', {
    exitCode: isUsage ? code : EXIT.unexpected,
    code: code === EXIT.notFound ? 'not_found' : isUsage ? 'bad_request' : 'unexpected',
    next: ['weft cloud accounts list'],
  });
}
