// What may follow a command line that is being typed: commands, options, and the names and numbers of what was saved.
import { createClient } from '@weft/client/node';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import type { CommandWords } from '../../words.ts';

/** So many saved things are offered, newest first. */
const OFFERED_MAX = 100;

/** The words that may follow `typed`, which begins behind the program's name. What can't be asked offers nothing; no agent is started for it. */
export async function wordsAfter(context: CommandContext, typed: readonly string[]): Promise<readonly string[]> {
  const { path, left, spec } = commandAt(context.commands, typed);
  if (spec === undefined) return context.commands.map(({ name }) => name);
  const args = left.filter((word) => !word.startsWith('-'));
  const wanted = spec.args?.[args.length];
  const values = wanted === undefined ? [] : await savedValues(context, [...path, wanted]);
  return [...(args.length > 0 ? [] : (spec.commands ?? []).map(({ name }) => name)), ...values, ...optionsOf(spec)];
}

/** Long options of a command. */
export function optionsOf(spec: CommandWords): readonly string[] {
  const own = (spec.options ?? []).map(({ flags }) => /--[\w-]+/.exec(flags)?.[0] ?? '').filter(Boolean);
  return [...new Set([...own, '--json', '--quiet', '--verbose', '--help'])];
}

function commandAt(commands: readonly CommandWords[], typed: readonly string[]) {
  const path: string[] = [];
  let spec: CommandWords | undefined;
  let left = typed;
  for (let among = commands; ; among = spec.commands ?? []) {
    const found = among.find(({ name }) => name === left[0]);
    if (!found) return { path, left, spec };
    spec = found;
    path.push(found.name);
    left = left.slice(1);
  }
}

type Ask = (client: AgentClient, limit: number) => Promise<readonly (string | number)[]>;

const workflows: Ask = async (client, limit) => (await client.workflows.list({ limit })).data.map(({ slug }) => slug);
const monitors: Ask = async (client, limit) => (await client.monitors.list({ limit })).flatMap(({ id, name }) => [name, id]);
const channels: Ask = async (client, limit) => (await client.notices.channels({ limit })).data.map(({ id }) => id);
const runs: Ask = async (client, limit) => (await client.runs.list({ limit })).data.map(({ row_id: id }) => id);

/** By the name of an argument, or by the first command and that name. */
const SAVED: Readonly<Record<string, Ask>> = {
  workflow: workflows,
  monitor: monitors,
  'crawl ref': async (client, limit) => (await client.crawlDefinitions.list({ limit })).data.map(({ slug }) => slug),
  'crawl id': async (client, limit) => (await client.crawl.list({ limit })).data.map(({ id }) => id),
  'dataset id': async (client, limit) =>
    ((await client.datasets.list({ limit })) as { readonly data: readonly { readonly id: number }[] }).data.map(({ id }) => id),
  'automation id': async (client, limit) => (await client.automations.list({ limit })).map(({ id }) => id),
  'file id': async (client, limit) => (await client.files.list({ limit })).data.map(({ id }) => id),
  'notify id': channels,
  'persona id': async (client, limit) => (await client.personas.list({ limit })).data.map(({ id }) => id),
  'key id': async (client, limit) => (await client.keys.list({ limit })).data.map(({ id }) => id),
  'secret key': async (client, limit) => (await client.secrets.list({ limit })).data.map(({ key }) => key),
  'run id': runs,
};

async function savedValues(context: CommandContext, path: readonly string[]): Promise<readonly string[]> {
  const name = /[a-z]+/.exec(path.at(-1) ?? '')?.[0] ?? '';
  const ask = SAVED[`${path[0]} ${name}`] ?? SAVED[name];
  if (!ask) return [];
  try {
    const values = await ask(createClient({ ...(await context.find()), retriesMax: 0 }), OFFERED_MAX);
    // A shell splits what it offers at blanks.
    return values.map(String).filter((value) => /^\S+$/.test(value));
  } catch {
    return [];
  }
}
