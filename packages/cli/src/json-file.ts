// Files that hold a JSON object.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CommandError, EXIT } from './exit.ts';

/** The JSON in a file, or on standard input for `-`. Throws CommandError. */
export async function readJsonFile(path: string): Promise<Record<string, unknown>> {
  const refuse = (message: string) => new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request' });
  const content = await (path === '-' ? text(process.stdin) : readFile(path, 'utf8')).catch((error: NodeJS.ErrnoException) => {
    throw refuse(error.code === 'ENOENT' ? `There is no file ${path}.` : `${path} can't be read: ${error.message}.`);
  });
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    throw refuse(`${path} is no JSON: ${(error as Error).message}.`);
  }
  throw refuse(`${path} holds no JSON object.`);
}
