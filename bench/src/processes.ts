// Programs under measurement: started, asked when ready, weighed and ended.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_MS = 60_000;

export interface Program extends Disposable {
  readonly process: ChildProcess;
  /** Milliseconds from start to the first answer. */
  readonly readyMs: number;
}

/** Starts Node on `args` and waits until `url` answers anything. */
export async function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  url: string,
): Promise<Program> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  for (;;) {
    if (child.exitCode !== null || performance.now() - startedMs > READY_MS) throw new Error(`${args[0]} did not answer at ${url}`);
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    await sleep(2);
  }
  return { process: child, readyMs: performance.now() - startedMs, [Symbol.dispose]: () => void child.kill('SIGTERM') };
}

/** Waits for a program that was disposed. */
export function ended(child: ChildProcess): Promise<void> {
  return child.exitCode !== null ? Promise.resolve() : new Promise((resolve) => child.once('exit', () => resolve()));
}

/** Proportional set size in MB: memory with shared pages divided among their users. */
export function pssMegabytes(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Two neighbouring free ports. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    if (port < 65_000) return port;
  }
}

/** Median wall milliseconds of `program` over `rounds` runs after one that warms up. */
export function commandMs(program: string, args: readonly string[], env: Readonly<Record<string, string | undefined>>, rounds = 9): number {
  const times = Array.from({ length: rounds + 1 }, () => {
    const startedMs = performance.now();
    spawnSync(program, args, { env, stdio: 'ignore' });
    return performance.now() - startedMs;
  });
  return times.slice(1).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

/** A folder that goes with the block. */
export function scratchFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'weft-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
