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

const { stdout, stderr } = process;
const answer = stdout.write.bind(stdout);
for await (const line of createInterface({ input: process.stdin })) {
  const { args, env } = JSON.parse(line) as TypedLine;
  const [out, err] = [taken(stdout), taken(stderr)];
  const exit = await runCommandLine(args, readEnvironment(env), new AbortController().signal);
  answer(`${JSON.stringify({ out: textOf(out), err: textOf(err), exit } satisfies LineOutcome)}\n`);
}

/** What is written to `stream` from now on. */
function taken(stream: NodeJS.WriteStream): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  stream.write = (piece: string | Uint8Array, ...rest: readonly unknown[]) => {
    pieces.push(Buffer.from(piece));
    const done = rest.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  };
  return pieces;
}

function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8');
}
