// Monitors of other programs coming in, and all configuration going out and coming in again.
import { setImmediate } from 'node:timers/promises';
import { AppError, MONITOR_IMPORT_FILE_BYTES_MAX, NewChannel, NewMonitor, NewMonitorTag } from '@weft/contract';
import type {
  ImportMonitors,
  ImportedMonitors,
  LeftOut,
  MonitorConfiguration,
  NewChannel as ChannelBody,
  NewMonitor as MonitorBody,
  NewMonitorTag as TagBody,
} from '@weft/contract';
import { PageError } from '@weft/engine';
import type { ImportResult, NamedThings, ReadEntry, ReadMonitor, ViewReader } from '@weft/engine';
import type { Files } from '../../files/file.ts';
import { readWholeFile } from '../../files/whole.ts';
import type { Channels } from '../../notices/channel.ts';
import { channelOf, configurationOf } from './configuration.ts';
import type { ConfigurationPorts } from './configuration.ts';
import { checkAutomations, makeAutomations } from './import-automations.ts';
import type { AutomationMaking } from './import-automations.ts';
import type { Monitors, PreparedMonitor } from '../monitor.ts';
import { askedOnce, idsOf } from './names.ts';
import type { NamePorts } from './names.ts';
import { orLeave, parsed } from './parsed.ts';
import type { MonitorTags } from '../tag.ts';

/** A file that was read and checked, and of which nothing is made yet. */
export interface CheckedImport {
  readonly monitors: readonly CheckedMonitor[];
  /** Tags with settings that are new here. */
  readonly newTags: readonly (Late & { readonly body: TagBody })[];
  /** Those whose name nobody has here. */
  readonly newChannels: readonly { readonly path: string; readonly body: Omit<ChannelBody, 'secrets'> }[];
  readonly automations: readonly ReadEntry[];
  readonly body: Omit<ImportedMonitors, 'monitors' | 'channels' | 'automations'>;
}

/** What names channels that are made with it: all of its channels, by name. */
interface Late {
  readonly channels: NamedThings['channels'] | undefined;
}

type CheckedMonitor = Late &
  ImportedMonitors['monitors'][number] & { readonly number: number | undefined; readonly prepared: PreparedMonitor };

export interface MonitorExchange {
  /** Reads a file in a thread of its own and checks what is in it; what can't be made is left out. Throws AppError `bad_request`, `not_found`. */
  read(input: ImportMonitors, ownerId: string, signal: AbortSignal): Promise<CheckedImport>;
  /** Makes all of it or nothing. Throws AppError `device_capacity`. */
  make(checked: CheckedImport): ImportedMonitors;
  /** What would be made. Throws as `make`. */
  show(checked: CheckedImport): ImportedMonitors;
  configuration(): MonitorConfiguration;
  /** The same as YAML. */
  writeYaml(signal: AbortSignal): Promise<string>;
}

export interface MonitorExchangePorts extends NamePorts, ConfigurationPorts {
  readonly monitors: Monitors;
  readonly tags: MonitorTags;
  readonly channelNoun: Pick<Channels, 'createWithoutSecrets'>;
  readonly making: AutomationMaking;
  readonly files: Files;
  readonly views: ViewReader;
}

/** Monitors that are checked in one turn of the process. */
const CHECKED_AT_ONCE = 20;
/** How a ZIP archive begins in base64. */
const ARCHIVE_BASE64 = 'UEsDB';

export function createMonitorExchange(ports: MonitorExchangePorts): MonitorExchange {
  const { monitors, views } = ports;
  return {
    async read({ format, content, file_id: fileId }, ownerId, signal) {
      // Exactly one of the two is there.
      const bytes =
        content === undefined ? await readWholeFile(fileId ?? '', MONITOR_IMPORT_FILE_BYTES_MAX, ports.files) : bytesOf(content);
      const read = await inWords(views.run('read_monitors', { format, content: bytes }, signal, ownerId));
      return await check(read.result, ports);
    },
    make: (checked) => ports.monitorStore.inTransaction(() => make(checked, ports)),
    show(checked) {
      const settings = new Map(checked.newTags.map(({ body: { name, ...rest } }) => [name, JSON.stringify(rest)]));
      const known = { tag: (name: string) => settings.get(name) ?? ports.monitorStore.tag(name) };
      monitors.requireRoom(
        checked.monitors.map(({ prepared }) => prepared),
        known,
      );
      const { newChannels, automations, body } = checked;
      const channels = newChannels.map(({ path, body: { name } }) => ({ path, name }));
      return { ...body, monitors: checked.monitors.map(shown), channels, automations: automations.map(shownEntry) };
    },
    configuration: () => configurationOf(ports),
    async writeYaml(signal) {
      const { result } = await inWords(views.run('write_monitors', { configuration: configurationOf(ports) }, signal));
      return result.text;
    },
  };
}

/** All of it; belongs into a transaction. An automation that is refused is left out. */
function make(checked: CheckedImport, ports: MonitorExchangePorts): ImportedMonitors {
  const { monitors, tags, channelNoun } = ports;
  const channels = checked.newChannels.map(({ path, body }) => ({ id: channelNoun.createWithoutSecrets(body), path, name: body.name }));
  const channelsOf = ({ channels: names }: Late) => (names === undefined ? {} : idsOf({ channels: names }, ports));
  const ids = monitors.createAll(
    checked.monitors.map((one) => ({ ...one.prepared, spec: { ...one.prepared.spec, ...channelsOf(one) } })),
    () => {
      for (const tag of checked.newTags) tags.put({ ...tag.body, ...channelsOf(tag) });
    },
  );
  const numbered = checked.monitors.flatMap(({ number }, place) => (number === undefined ? [] : [[number, ids[place] ?? 0] as const]));
  const { made: automations, leftOut } = makeAutomations(checked.automations, new Map(numbered), ports);
  return {
    ...checked.body,
    channels,
    monitors: checked.monitors.map((one, place) => ({ ...(ids[place] === undefined ? {} : { id: ids[place] }), ...shown(one) })),
    automations,
    left_out: [...checked.body.left_out, ...leftOut],
  };
}

function shown({ path, monitor }: CheckedMonitor): Pick<CheckedMonitor, 'path' | 'monitor'> {
  return { path, monitor };
}

function shownEntry({ path, entry: { name } }: ReadEntry): { readonly path: string; readonly name: string } {
  return { path, name: String(name) };
}

/** Text as UTF-8, and an archive as its bytes. */
function bytesOf(content: string): Uint8Array {
  return content.startsWith(ARCHIVE_BASE64) ? Buffer.from(content, 'base64') : new TextEncoder().encode(content);
}

/** What is wrong with a file is the caller's to mend. */
async function inWords<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PageError && error.code !== 'aborted') throw new AppError('bad_request', error.message);
    throw error;
  }
}

async function check(
  { format, monitors: read, tags: readTags, channels, automations: readAutomations, leftOut }: ImportResult,
  given: MonitorExchangePorts,
): Promise<CheckedImport> {
  const ports = { ...given, ...askedOnce(given) };
  const left: LeftOut[] = [...leftOut];
  const newNames = new Set<string>();
  const newChannels = channels.flatMap(({ path, entry }) => {
    const body = orLeave(path, left, () => parsed(NewChannel.omit({ secrets: true }), entry));
    if (!body || !isNewChannel(path, body, left, ports)) return [];
    if (newNames.has(body.name)) {
      left.push({ path, message: `Another channel of the document is called "${body.name}".` });
      return [];
    }
    newNames.add(body.name);
    return [{ path, body }];
  });
  const tags = readTags.flatMap((tag) => {
    const { path, name, settings, names } = tag;
    const [now, late] = splitNames(names, newNames);
    const body = orLeave(path, left, () => parsed(NewMonitorTag, { name, ...settings, ...idsOf(now, ports) }));
    return body ? [{ path, body, ...late }] : [];
  });
  const newTags = tags.filter(({ path, body }) => isNewTag(path, body, left, ports));
  const monitors: CheckedMonitor[] = [];
  for (const [place, one] of read.entries()) {
    // Checking ten thousand takes seconds in which others must be served.
    if (place % CHECKED_AT_ONCE === 0) await setImmediate();
    const [now, late] = splitNames(one.names, newNames);
    const made = orLeave(one.path, left, () => checked({ ...one, names: now }, ports));
    if (made) monitors.push({ path: one.path, number: one.number, ...made, ...late });
  }
  const numbers = new Set(monitors.flatMap(({ number }) => number ?? []));
  const { automations, leftOut: without } = checkAutomations(readAutomations, { numbers, newNames }, ports);
  const body = { format, tags: tags.map((tag) => tag.body), left_out: [...left, ...without] };
  return { monitors, newTags, newChannels, automations, body };
}

/** What is there, and all channels of what names one that is not there yet. */
function splitNames(names: NamedThings, newNames: ReadonlySet<string>): readonly [now: NamedThings, late: Late] {
  const { channels, ...rest } = names;
  const there = channels?.filter((name) => typeof name === 'number' || !newNames.has(name));
  return there?.length === channels?.length ? [names, { channels: undefined }] : [{ ...rest, channels: there ?? [] }, { channels }];
}

/** One that has its name stays as it is. */
function isNewChannel(path: string, body: Omit<ChannelBody, 'secrets'>, left: LeftOut[], { channelsWhole }: MonitorExchangePorts): boolean {
  const known = channelsWhole().find(({ name }) => name === body.name);
  if (!known) return true;
  if (JSON.stringify(sorted(channelOf(known))) !== JSON.stringify(sorted(body)))
    left.push({ path, message: `There is a channel "${body.name}" already, which stays as it is.` });
  return false;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}

function checked(
  { monitor, names }: Pick<ReadMonitor, 'monitor' | 'names'>,
  ports: MonitorExchangePorts,
): { readonly monitor: MonitorBody; readonly prepared: PreparedMonitor } {
  const body = parsed(NewMonitor, { ...monitor, ...idsOf(names, ports) });
  return { monitor: body, prepared: ports.monitors.prepare(body) };
}

/** A tag that only puts monitors together has no settings to keep. */
function isNewTag(path: string, { name, ...settings }: TagBody, left: LeftOut[], { monitorStore }: MonitorExchangePorts): boolean {
  if (Object.keys(settings).length === 0) return false;
  const known = monitorStore.tag(name);
  if (known === undefined) return true;
  if (known !== JSON.stringify(settings)) left.push({ path, message: `There is a tag "${name}" already, which keeps its settings.` });
  return false;
}
