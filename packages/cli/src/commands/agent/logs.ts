// weft logs: the end of the agent's log, readable; --json gives the lines as they are.
import { createReadStream, existsSync, statSync, watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CommandContext } from '../../context.ts';
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';

/** Lines are short; this much of the end holds any count that fits a screen many times over. */
const TAIL_BYTES = 4_000_000;
const LEVELS: Readonly<Record<string, number>> = { info: 30, warn: 40, error: 50 };

export const run: CommandRun = async (context, _args, options) => {
  const path = join(context.environment.home, 'logs', 'agent.log');
  if (!existsSync(path))
    throw new CommandError(`There is no log yet (${path}).`, { exitCode: EXIT.notFound, code: 'not_found', next: ['weft daemon start'] });
  const count = Number(options['lines']);
  if (!Number.isInteger(count) || count < 0)
    throw new CommandError(`--lines is "${String(options['lines'])}"; it must be a whole number.`, {
      exitCode: EXIT.usage,
      code: 'bad_request',
    });
  const minimum = LEVELS[String(options['level'])] ?? 30;
  const { lines, size } = await readTail(path);
  for (const line of lines.filter((text) => levelOf(text) >= minimum).slice(-count)) show(context, line);
  if (options['follow'] === true) await follow(context, path, size, minimum);
};

async function readTail(path: string): Promise<{ readonly lines: readonly string[]; readonly size: number }> {
  const { size } = statSync(path);
  const start = Math.max(0, size - TAIL_BYTES);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n').filter(Boolean);
    return { lines: start > 0 ? lines.slice(1) : lines, size };
  } finally {
    await file.close();
  }
}

async function follow(context: CommandContext, path: string, from: number, minimum: number): Promise<void> {
  let position = from;
  const readNew = async () => {
    const { size } = statSync(path);
    if (size <= position) return;
    const stream = createReadStream(path, { start: position, end: size - 1 });
    position = size;
    for await (const line of createInterface({ input: stream })) if (levelOf(line) >= minimum) show(context, line);
  };
  await new Promise<void>((resolve) => {
    const watcher = watch(path, () => void readNew());
    context.signal.addEventListener('abort', () => {
      watcher.close();
      resolve();
    });
  });
}

function levelOf(line: string): number {
  return Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0);
}

function show(context: CommandContext, line: string): void {
  context.print(context.isJson ? line : readable(line));
}

/** `time level message key=value ...` */
function readable(line: string): string {
  try {
    const { time, level, msg, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const name = Object.entries(LEVELS).find(([, value]) => value === level)?.[0] ?? String(level);
    const fields = Object.entries(rest).map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    return [String(time), name.toUpperCase().padEnd(5), String(msg), ...fields].join(' ');
  } catch {
    return line;
  }
}
