// What may follow a command line that is being typed: commands, options, and the names and numbers of what was saved.
import { createClient } from '@weft/client/node';
import type { AgentClient } from '@weft/client/node';
import type { CommandContext } from '../../context.ts';
import type { CommandWords, OptionSpec } from '../../words.ts';

/** So many saved things are offered, newest first. */
const OFFERED_MAX = 100;

/** The words that may follow `typed`, which begins behind the program's name. What can't be asked offers nothing; no agent is started for it. */
export async function wordsAfter(context: CommandContext, typed: readonly string[]): Promise<readonly string[]> {
  const { path, left, spec } = commandAt(context.commands, typed);
  if (spec === undefined) return context.commands.map(({ name }) => name);
  const { args, open } = argumentsIn(left, spec.options ?? []);
  if (open?.choices) return open.choices;
  if (open) return await savedValues(context, [...path, open.flags], args);
  const wanted = spec.args?.[args.length];
  const values = wanted === undefined ? [] : await savedValues(context, [...path, wanted], args);
  return [...(args.length > 0 ? [] : (spec.commands ?? []).map(({ name }) => name)), ...values, ...optionsOf(spec)];
}

/** The arguments among words behind a command, and the option that still waits for its value. */
function argumentsIn(words: readonly string[], options: readonly OptionSpec[]) {
  const args: string[] = [];
  let open: OptionSpec | undefined;
  for (const word of words) {
    if (open) open = undefined;
    else if (word.startsWith('-')) open = options.find(({ flags }) => flags.includes('<') && flags.split(/[ ,]+/).includes(word));
    else args.push(word);
  }
  return { args, open };
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

/** What may stand there, asked of the agent; `args` stand before it. */
type Ask = (client: AgentClient, limit: number, args: readonly string[]) => Promise<readonly (string | number)[]>;

const workflows: Ask = async (client, limit) => (await client.workflows.list({ limit })).data.map(({ slug }) => slug);
const monitors: Ask = async (client, limit) => (await client.monitors.list({ limit })).flatMap(({ id, name }) => [name, id]);
const channels: Ask = async (client, limit) => (await client.notices.channels({ limit })).data.map(({ id }) => id);
const runs: Ask = async (client, limit) => (await client.runs.list({ limit })).data.map(({ row_id: id }) => id);
const personas: Ask = async (client, limit) => (await client.personas.list({ limit })).data.flatMap(({ id, name }) => [name, id]);
const deliveries: Ask = async (client, limit) => (await client.notices.deliveries({ limit })).data.map(({ id }) => id);
// Without `format` the answer is JSON.
const datasets: Ask = async (client, limit) =>
  ((await client.datasets.list({ limit })) as { readonly data: readonly { readonly id: number }[] }).data.map(({ id }) => id);
const tags: Ask = async (client, limit) => {
  const set = (await client.monitorTags.list({ limit })).data.map(({ name }) => name);
  return [...new Set([...set, ...(await client.monitors.list({ limit })).flatMap((monitor) => monitor.tags)])];
};
/** Of the monitor that is named before, else of all. */
const selectors: Ask = async (client, limit, [ref]) => {
  const all = await client.monitors.list({ limit });
  const named = all.filter(({ id, name }) => String(id) === ref || name === ref);
  return (named.length > 0 ? named : all).flatMap((monitor) => monitor.selectors.map(({ id }) => id));
};

/** By the commands and the name of an argument or option, by the first command and that name, or by the name alone. */
const SAVED: Readonly<Record<string, Ask>> = {
  workflow: workflows,
  monitor: monitors,
  selector: selectors,
  extractor: async (client, limit) =>
    (await client.monitors.list({ limit })).flatMap((monitor) =>
      monitor.selectors.flatMap(({ extractors }) => extractors.map(({ id }) => id)),
    ),
  tag: tags,
  persona: personas,
  channel: channels,
  dataset: datasets,
  'crawl ref': async (client, limit) => (await client.crawlDefinitions.list({ limit })).data.map(({ slug }) => slug),
  'crawl id': async (client, limit) => (await client.crawl.list({ limit })).data.map(({ id }) => id),
  'dataset id': datasets,
  'automation id': async (client, limit) => (await client.automations.list({ limit })).map(({ id }) => id),
  'file id': async (client, limit) => (await client.files.list({ limit })).data.map(({ id }) => id),
  'notify id': channels,
  'notify deliveries id': deliveries,
  'notify redeliver id': deliveries,
  'key id': async (client, limit) => (await client.keys.list({ limit })).data.map(({ id }) => id),
  'secret key': async (client, limit) => (await client.secrets.list({ limit })).data.map(({ key }) => key),
  'oauth id': async (client, limit) => (await client.oauth.grants({ limit })).data.map(({ id }) => id),
  'hosts host': async (client) => (await client.hosts.list({})).data.map(({ host }) => host),
  'run id': runs,
};

async function savedValues(context: CommandContext, path: readonly string[], args: readonly string[]): Promise<readonly string[]> {
  const name = /[a-z]+/.exec(path.at(-1) ?? '')?.[0] ?? '';
  const ask = SAVED[[...path.slice(0, -1), name].join(' ')] ?? SAVED[`${path[0]} ${name}`] ?? SAVED[name];
  if (!ask) return [];
  try {
    const values = await ask(createClient({ ...(await context.find()), retriesMax: 0 }), OFFERED_MAX, args);
    // A shell splits what it offers at blanks.
    return values.map(String).filter((value) => /^\S+$/.test(value));
  } catch {
    return [];
  }
}
