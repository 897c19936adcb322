// Starts the programs of an application, keeps their output in a log and ends each by its id.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Programs } from './app.ts';

const READY_MS = 120_000;
const POLL_MS = 50;
const KILL_AFTER_MS = 8000;
const LOG_END_CHARACTERS = 2000;

export interface OwnedPrograms extends Programs {
  /** Ends all of them, the last started first, and waits until they are gone; others may be started then. */
  stop(): Promise<void>;
}

/** Programs whose standard output and error go to `logPath`, which begins empty. */
export function ownPrograms(logPath: string): OwnedPrograms {
  closeSync(openSync(logPath, 'w'));
  const children: ChildProcess[] = [];
  return {
    start(command, args, options = {}) {
      const log = openSync(logPath, 'a');
      const [file, rest] = endingWithUs(command, args);
      const child = spawn(file, rest, {
        cwd: options.cwd,
        // A group of its own: Ctrl-C in a terminal reaches us alone, and we end each.
        detached: true,
        env: { ...process.env, ...options.env },
        stdio: ['ignore', log, log],
      });
      child.on('error', () => undefined);
      closeSync(log);
      children.push(child);
    },
    async answers(url) {
      const endMs = Date.now() + READY_MS;
      while (!(await isUp(url))) {
        const isGone = children.some((child) => child.exitCode !== null || child.pid === undefined);
        if (isGone || Date.now() > endMs) throw new Error(`nothing answers at ${url}: ${logEnd(logPath)}`);
        await sleep(POLL_MS);
      }
    },
    async stop() {
      for (const child of children.splice(0).toReversed()) await end(child);
    },
  };
}

/** The command that runs a program which Linux ends with us, even when we are killed. */
export function endingWithUs(command: string, args: readonly string[]): readonly [file: string, args: readonly string[]] {
  return process.platform === 'linux' ? ['setpriv', ['--pdeathsig', 'TERM', command, ...args]] : [command, args];
}

async function isUp(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual' });
    await response.body?.cancel();
    // A server in front of one that is not there yet.
    return ![502, 503, 504].includes(response.status);
  } catch {
    return false;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  await gone;
  clearTimeout(timer);
}

function logEnd(path: string): string {
  return readFileSync(path, 'utf8').slice(-LOG_END_CHARACTERS).trim() || 'its log is empty';
}
