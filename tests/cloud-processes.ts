// Processes of a cloud for campaigns and benches: real programs on one PostgreSQL, which can be killed, stopped and cut off.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { resolve } from 'node:path';

const MAIN = resolve(import.meta.dirname, '../packages/cloud/src/main.ts');

/** A program of a cloud. */
export interface CloudProcess {
  readonly process: ChildProcess;
  /** Where it listens; empty for a worker. */
  readonly url: string;
  /** Of the server for those who watch it; 0 where it has none. */
  readonly internalPort: number;
}

/** How a program is started. */
export interface CloudProcessOptions {
  readonly databaseUrl: string;
  readonly home: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The program of another release; this one's unless said. */
  readonly main?: string;
}

/** Starts a program and resolves once it says that it works. */
export async function startCloudProcess({ databaseUrl, home, args, env = {}, main = MAIN }: CloudProcessOptions): Promise<CloudProcess> {
  const all = { ...process.env, DATABASE_URL: databaseUrl, SERVICE_HOME: home, ...env };
  const program = spawn(process.execPath, [main, '--port', '0', ...args], { env: all, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  program.stderr.setEncoding('utf8');
  while (!said.includes('\n')) {
    const [text] = (await Promise.race([once(program.stderr, 'data'), once(program, 'exit')])) as [string | number | null];
    if (typeof text !== 'string') throw new Error(`The cloud ended with ${text}: ${said}`);
    said += text;
  }
  program.stderr.resume();
  const internal = /metrics at port (\d+)/.exec(said)?.[1];
  return { process: program, url: /http:\/\/\S+/.exec(said)?.[0] ?? '', internalPort: Number(internal ?? 0) };
}

/** Ends a program and waits until it is gone. */
export async function endCloudProcess({ process: program }: CloudProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  program.kill(signal);
  await once(program, 'exit');
}

/** Seconds of CPU that a process has used; none of one that is gone. */
export function cpuSeconds(pid: number): number {
  const fields = fieldsOf(pid);
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** Seconds of CPU of a process, of its children, and of those children that have ended. */
export function cpuSecondsOfTree(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(fieldsOf(Number(name))[1] ?? 0) === pid);
  const fields = fieldsOf(pid);
  const ended = (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / 100;
  return cpuSeconds(pid) + ended + children.reduce((sum, child) => sum + cpuSeconds(Number(child)), 0);
}

/** What the system says of a process, behind its name; nothing of one that is gone. */
function fieldsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
  } catch {
    return [];
  }
}

/** Memory of a process that is its own share, in megabytes. */
export function pssMegabytes(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** A way to a server that can be cut: nothing passes then, and nobody is told. */
export async function startCuttable(portOf: () => number) {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  let sent = 0;
  const server = createServer((inner) => {
    const outer = createConnection(portOf(), '127.0.0.1');
    const pair = [inner, outer] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      inner.destroy();
      outer.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    inner.on('data', (data) => {
      sent += 1;
      if (!isCut) outer.write(data);
    });
    outer.on('data', (data) => void (isCut || inner.write(data)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** How often something was sent to the server so far: with PostgreSQL, a round trip each. */
    sent: () => sent,
    /** Whether nothing passes; what was under way is lost with its connection once it passes again. */
    cut(isOn: boolean) {
      isCut = isOn;
      if (!isOn) for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
