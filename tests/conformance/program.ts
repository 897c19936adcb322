// The agent as a program of its own, on a home of its own, for what can only be seen from outside a process.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENT_ARGS, agentVariables } from '../../packages/cli/src/agent-process.ts';
import { findPrivate } from '../../packages/serve/src/base/private-files.ts';
import { CHILD_ENV } from '../child-env.ts';

export interface ProgramExit {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stderr: string;
}

export interface Program extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly home: string;
  readonly port: number;
  readonly baseUrl: string;
  /** Settled once the program has ended. */
  readonly exit: Promise<ProgramExit>;
  /** The runtime token, once the program says that it listens. Throws with its last words when it ends instead. */
  ready(): Promise<string>;
}

export interface ProgramOptions {
  /** A free one unless said. */
  readonly port?: number;
  /** Left alone in the end when it is given. */
  readonly home?: string;
  /** Beside those that every agent gets. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** Starts the agent's main; disposing it ends the process. */
export async function startProgram(options: ProgramOptions = {}): Promise<Program> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'weft-program-'));
  const port = options.port ?? (await freePorts());
  const env = agentVariables({ ...CHILD_ENV, SERVICE_HOME: home, SERVICE_PORT: String(port), ...options.variables });
  const child = spawn(process.execPath, AGENT_ARGS, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  const listening = Promise.withResolvers<boolean>();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (stderr.includes('Weft agent on')) listening.resolve(true);
  });
  const exit = once(child, 'close').then(([code]): ProgramExit => {
    listening.resolve(false);
    return { code: code as number | null, stderr };
  });
  return {
    process: child,
    home,
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    exit,
    async ready() {
      if (!(await listening.promise)) throw new Error(`the agent ended before it listened: ${stderr}`);
      return (findPrivate(join(home, 'token')) ?? '').trim();
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exit;
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Systems give out ports above these by themselves, to whoever connects: one of those may be taken between a look and its use. */
const PORT_MIN = 10_000;
const PORT_MAX = 32_000;

/** A port that is free together with the next one, which the HTTPS twin takes. */
export async function freePorts(): Promise<number> {
  for (;;) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    const servers = [await listenOn(port).catch(() => undefined), await listenOn(port + 1).catch(() => undefined)];
    for (const server of servers)
      if (server) {
        server.close();
        await once(server, 'close');
      }
    if (servers.every((server) => server !== undefined)) return port;
  }
}

async function listenOn(port: number) {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
