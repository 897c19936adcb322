// A program that runs command lines one after another, as `weft` does each, so that a table of many is not a table of many processes. Each line of standard input is one, as JSON; each line that it answers is what came of it.
import { createInterface } from 'node:readline';
import { readEnvironment } from '../../packages/cli/src/environment.ts';
import { runCommandLine } from '../../packages/cli/src/run.ts';

/** A command line, and the environment that it finds. */
export interface TypedLine {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What it printed, and its exit code. */
export interface LineOutcome {
  readonly out: string;
  readonly err: string;
  readonly exit: number;
}

const answer = process.stdout.write.bind(process.stdout);
for await (const line of createInterface({ input: process.stdin })) {
  const { args, env } = JSON.parse(line) as TypedLine;
  const printed = { out: '', err: '' };
  process.stdout.write = (text: string | Uint8Array, ...rest: readonly unknown[]) => take('out', text, rest);
  process.stderr.write = (text: string | Uint8Array, ...rest: readonly unknown[]) => take('err', text, rest);
  const take = (where: 'out' | 'err', text: string | Uint8Array, rest: readonly unknown[]) => {
    printed[where] += typeof text === 'string' ? text : Buffer.from(text).toString();
    const written = rest.find((each) => typeof each === 'function');
    if (written) queueMicrotask(() => written());
    return true;
  };
  const exit = await runCommandLine(args, readEnvironment(env), new AbortController().signal);
  answer(`${JSON.stringify({ ...printed, exit } satisfies LineOutcome)}\n`);
}
