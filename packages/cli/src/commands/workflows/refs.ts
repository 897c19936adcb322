// Workflows by what people call them, and what of one makes another.
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

/** What the agent itself says of a workflow, and takes back in no body. */
const OWN = ['id', 'revision', 'dataset_id', 'last_run', 'created_at', 'updated_at'];

/** A workflow as a body that makes one. */
export function bodyOf(workflow: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(workflow).filter(([name]) => !OWN.includes(name)));
}
