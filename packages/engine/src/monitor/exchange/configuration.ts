// Our own configuration: all monitors with their selectors and extractors, tags, channels and automations, as one document that goes out and comes in again.
import type { MonitorConfiguration, NewMonitor } from '@weft/contract';
import { isMembers } from '../../run/value.ts';
import { ExchangeError } from '../../run/exchange/untrusted.ts';
import type { Collector, NamedThings } from './exchange.ts';
import { parseYaml, writeYaml } from './yaml.ts';

/** What is to be written. */
export interface ExportRequest {
  readonly configuration: MonitorConfiguration;
}

/** The document as YAML that `readConfiguration` reads. */
export async function writeConfiguration({ configuration }: ExportRequest): Promise<{ readonly text: string }> {
  return { text: await writeYaml(configuration) };
}

/** Reads YAML or JSON, which is YAML. Throws ExchangeError. */
export async function readConfiguration(text: string, into: Collector): Promise<void> {
  const [file] = /^\s*\{/.test(text) ? [jsonOf(text)] : await parseYaml(text, '1.2');
  if (!isMembers(file) || file['weft'] === undefined)
    throw new ExchangeError('The file is no configuration of Weft: it has no member "weft".');
  if (file['weft'] !== 1)
    throw new ExchangeError(`The file is a configuration of version ${String(file['weft'])}; this program reads version 1.`);
  for (const name of Object.keys(file)) if (!MEMBERS.has(name)) into.leave(name, `A configuration has no member "${name}".`);
  for (const [path, tag] of entriesIn(file, 'tags', into)) {
    const { name, channels, ...settings } = tag;
    if (typeof name === 'string') into.tags.set(name, { path, name, settings, names: namesOf({ channels }) });
    else into.leave(path, 'It has no name.');
  }
  for (const [path, { workflow, persona, channels, number, ...monitor }] of entriesIn(file, 'monitors', into)) {
    const names = namesOf({ workflow, persona, channels });
    // Checked against the contract before anything is made of it.
    into.add({ path, monitor: monitor as NewMonitor, names, ...(typeof number === 'number' ? { number } : {}) });
  }
  for (const [path, entry] of entriesIn(file, 'channels', into)) into.channels.push({ path, entry });
  for (const [path, entry] of entriesIn(file, 'automations', into)) into.automations.push({ path, entry });
}

const MEMBERS = new Set(['weft', 'tags', 'channels', 'monitors', 'automations']);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ExchangeError(`The JSON can't be read: ${(error as Error).message}.`);
  }
}

function entriesIn(
  file: Readonly<Record<string, unknown>>,
  name: 'tags' | 'channels' | 'monitors' | 'automations',
  into: Collector,
): readonly (readonly [path: string, entry: Readonly<Record<string, unknown>>])[] {
  const list = file[name] ?? [];
  if (!Array.isArray(list)) throw new ExchangeError(`"${name}" is no list.`);
  return list.flatMap((entry: unknown, place) => {
    const path = `${name}[${place}]`;
    if (isMembers(entry)) return [[path, entry] as const];
    into.leave(path, 'It is no object.');
    return [];
  });
}

function namesOf({ workflow, persona, channels }: Readonly<Record<string, unknown>>): NamedThings {
  return {
    ...(workflow === undefined ? {} : { workflow: nameOf(workflow) }),
    ...(persona === undefined ? {} : { persona: nameOf(persona) }),
    ...(Array.isArray(channels) ? { channels: channels.map(nameOf) } : {}),
  };
}

function nameOf(written: unknown): string | number {
  return typeof written === 'number' ? written : String(written);
}
