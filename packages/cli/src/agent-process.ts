// Starts and stops the agent as a process of its own. The command line never loads its code.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FoundAgent } from '@weft/client/node';
import type { Environment } from './environment.ts';
import { CommandError, EXIT } from './exit.ts';

/** What Node is given to run the agent. No signal opens an inspector, through which the keys of an open vault could be read. A heap that grows slowly keeps the memory of long crawls flat, at the same CPU (docs/decisions/0005-crawls.md). */
export const AGENT_ARGS: readonly string[] = [
  '--disable-sigusr1',
  '--max-semi-space-size=8',
  '--heap-growing-percent=100',
  fileURLToPath(new URL('../../daemon/src/main.ts', import.meta.url)),
];

/** A guard: an agent that can't start ends, which is seen at once. */
const START_MS = 120_000;
const STOP_MS = 12_000;
const POLL_MS = 50;

/**
 * What glibc is told: large blocks go back to the system as they are freed, and threads share two arenas, where each would keep one of its own
 * (mallopt(3)). Other systems ignore it.
 */
const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', MALLOC_TRIM_THRESHOLD_: '262144' } as const;

/** `variables` for the agent; those that are set stay. */
export function agentVariables<Variables extends Readonly<Record<string, string | undefined>>>(variables: Variables) {
  return { ...MALLOC, ...variables };
}

export interface StartPorts {
  find(): Promise<FoundAgent>;
  say(text: string): void;
  readonly signal: AbortSignal;
}

/** Starts the agent in the background and returns it once it has proved itself. Throws CommandError with its own words when it ends instead. */
export async function startAgent(environment: Environment, ports: StartPorts): Promise<FoundAgent> {
  const log = openStartLog(environment.home);
  const child = spawn(process.execPath, AGENT_ARGS, {
    detached: true,
    stdio: ['ignore', log.file, log.file],
    env: agentVariables(environment.variables),
  });
  closeSync(log.file);
  child.unref();
  let isEnded = false;
  child.once('exit', () => (isEnded = true));
  child.once('error', () => (isEnded = true));
  for (let waited = 0; waited < START_MS; waited += POLL_MS) {
    const found = await ports.find().catch(() => undefined);
    if (found) {
      log.discard();
      ports.say(`weft: started the agent (${found.baseUrl}); \`weft daemon stop\` ends it.`);
      return found;
    }
    if (isEnded) throw notStarted(log.takeWords());
    await sleep(POLL_MS, undefined, { signal: ports.signal });
  }
  throw notStarted(`It did not answer within ${START_MS / 1000} seconds; its words are in ${log.path}.`);
}

/** Where the agent's first words go. */
interface StartLog {
  readonly path: string;
  readonly file: number;
  /** What was written, once the agent has ended. */
  takeWords(): string;
  /** Deletes it where it is temporary. */
  discard(): void;
}

/** A file in the agent's home, or a temporary one while the agent has made none: the agent says best what is wrong with a home. */
function openStartLog(home: string): StartLog {
  try {
    return startLogIn(join(home, 'logs'), () => undefined);
  } catch {
    const folder = mkdtempSync(join(tmpdir(), 'weft-start-'));
    return startLogIn(folder, () => rmSync(folder, { recursive: true, force: true }));
  }
}

function startLogIn(folder: string, discard: () => void): StartLog {
  const path = join(folder, 'start.log');
  return {
    path,
    file: openSync(path, 'w', 0o600),
    discard,
    takeWords() {
      const words = readFileSync(path, 'utf8');
      discard();
      return words;
    },
  };
}

function notStarted(words: string): CommandError {
  return new CommandError(`The agent could not be started.\n${words.trim().replace(/^weft: (?:the agent could not start[.:]\s*)?/, '')}`, {
    exitCode: EXIT.noAgent,
    code: 'no_agent',
    next: ['weft doctor'],
  });
}

/** The process id that `runtime.json` names; undefined when there is no such file. */
export function findAgentPid(environment: Environment): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(join(environment.home, 'runtime.json'), 'utf8')) as { pid?: unknown };
    return typeof pid === 'number' ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Asks the process to stop and waits until it is gone. Throws CommandError when it stays. */
export async function stopAgent(pid: number, signal: AbortSignal): Promise<void> {
  process.kill(pid, 'SIGTERM');
  for (let waited = 0; waited < STOP_MS; waited += POLL_MS) {
    if (!isAlive(pid)) return;
    await sleep(POLL_MS, undefined, { signal });
  }
  throw new CommandError(`The agent (process ${pid}) did not stop within ${STOP_MS / 1000} seconds.`, {
    exitCode: EXIT.unexpected,
    code: 'still_running',
    next: [`kill -9 ${pid}`],
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
