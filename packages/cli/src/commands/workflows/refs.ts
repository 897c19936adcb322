// Workflows by what people call them, and the files that hold them.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Workflow } from '@weft/contract';
import type { AgentClient } from '@weft/client/node';
import { CommandError, EXIT } from '../../exit.ts';
import { orTry } from '../../or-try.ts';

const NEXT = 'weft workflow list';

/** The workflow whose number, slug or name `ref` is. Throws CommandError. */
export async function findWorkflow(client: AgentClient, ref: string, signal: AbortSignal): Promise<Workflow> {
  if (/^[1-9]\d{0,14}$/.test(ref)) return await orTry(NEXT, client.workflows.read({ id: Number(ref) }, { signal }));
  const { data } = await client.workflows.list({ q: ref, limit: 500 }, { signal });
  const found = data.find(({ slug }) => slug === ref) ?? onlyOne(data.filter(({ name }) => name.toLowerCase() === ref.toLowerCase()));
  if (found) return await client.workflows.read({ id: found.id }, { signal });
  throw new CommandError(`There is no workflow "${ref}".`, { exitCode: EXIT.notFound, code: 'not_found', next: [NEXT] });
}

function onlyOne<Item>(found: readonly Item[]): Item | undefined {
  return found.length === 1 ? found[0] : undefined;
}

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

/** What the agent itself says of a workflow, and takes back in no body. */
const OWN = ['id', 'revision', 'dataset_id', 'last_run', 'created_at', 'updated_at'];

/** A workflow as a body that makes one. */
export function bodyOf(workflow: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(workflow).filter(([name]) => !OWN.includes(name)));
}
