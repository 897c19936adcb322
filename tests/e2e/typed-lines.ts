// Command lines of one agent's user, run one after another in one program: what a process of its own for each would add is its start.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { CHILD_ENV } from '../child-env.ts';
import type { TestAgent } from '../agent.ts';
import type { LineOutcome, TypedLine } from './cli-lines.ts';

const LINES = join(import.meta.dirname, 'cli-lines.ts');

export interface TypedLines extends AsyncDisposable {
  /** Runs `weft` with these words; what it printed, and its exit code. */
  run(...args: string[]): Promise<{ readonly out: string; readonly err: string; readonly code: number }>;
}

export function startTypedLines(agent: Pick<TestAgent, 'home' | 'baseUrl' | 'token'>): TypedLines {
  const { home, baseUrl, token } = agent;
  const env = { HOME: home, SERVICE_HOME: home, SERVICE_API_URL: baseUrl, SERVICE_TOKEN: token };
  const child = spawn(process.execPath, [LINES], { env: { ...CHILD_ENV, HOME: home }, cwd: home, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // One line is answered before the next is sent.
  let turn: Promise<unknown> = Promise.resolve();
  const ask = async (args: string[]) => {
    child.stdin.write(`${JSON.stringify({ args, env } satisfies TypedLine)}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error(`the program of command lines ended at: weft ${args.join(' ')}`);
    const { out, err, exit } = JSON.parse(value) as LineOutcome;
    return { out, err, code: exit };
  };
  return {
    run(...args) {
      const answer = turn.then(() => ask(args));
      turn = answer.catch(() => undefined);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
