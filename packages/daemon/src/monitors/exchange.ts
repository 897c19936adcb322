// Monitors of other programs coming in, and all configuration going out and coming in again.
import { setImmediate } from 'node:timers/promises';
import { AppError, MONITOR_IMPORT_FILE_BYTES_MAX, NewMonitor, NewMonitorTag } from '@weft/contract';
import type {
  ImportMonitors,
  ImportedMonitors,
  LeftOut,
  MonitorConfiguration,
  NewMonitor as MonitorBody,
  NewMonitorTag as TagBody,
} from '@weft/contract';
import { PageError } from '@weft/engine';
import type { ImportResult, ReadMonitor, ViewReader } from '@weft/engine';
import type { z } from 'zod';
import type { Files } from '../files/file.ts';
import { readWholeFile } from '../files/whole.ts';
import { configurationOf } from './configuration.ts';
import type { ConfigurationPorts } from './configuration.ts';
import type { Monitors, PreparedMonitor } from './monitor.ts';
import { askedOnce, idsOf } from './names.ts';
import type { NamePorts } from './names.ts';
import type { MonitorTags } from './tag.ts';

/** A file that was read and checked, and of which nothing is made yet. */
export interface CheckedImport {
  readonly monitors: readonly (ImportedMonitors['monitors'][number] & { readonly prepared: PreparedMonitor })[];
  /** Tags with settings that are new here. */
  readonly newTags: readonly TagBody[];
  readonly body: Omit<ImportedMonitors, 'monitors'>;
}

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
  readonly files: Files;
  readonly views: ViewReader;
}

/** Monitors that are checked in one turn of the process. */
const CHECKED_AT_ONCE = 20;
/** How a ZIP archive begins in base64. */
const ARCHIVE_BASE64 = 'UEsDB';

export function createMonitorExchange(ports: MonitorExchangePorts): MonitorExchange {
  const { monitors, tags, views } = ports;
  const shown = ({ monitors: made, body }: CheckedImport, ids?: readonly number[]): ImportedMonitors => ({
    ...body,
    monitors: made.map(({ path, monitor }, place) => ({ ...(ids?.[place] === undefined ? {} : { id: ids[place] }), path, monitor })),
  });
  return {
    async read({ format, content, file_id: fileId }, ownerId, signal) {
      // Exactly one of the two is there.
      const bytes =
        content === undefined ? await readWholeFile(fileId ?? '', MONITOR_IMPORT_FILE_BYTES_MAX, ports.files) : bytesOf(content);
      const read = await inWords(views.run('read_monitors', { format, content: bytes }, signal, ownerId));
      return await check(read.result, ports);
    },
    make(checked) {
      const ids = monitors.createAll(
        checked.monitors.map(({ prepared }) => prepared),
        () => {
          for (const tag of checked.newTags) tags.put(tag);
        },
      );
      return shown(checked, ids);
    },
    show(checked) {
      const settings = new Map(checked.newTags.map(({ name, ...rest }) => [name, JSON.stringify(rest)]));
      const known = { tag: (name: string) => settings.get(name) ?? ports.monitorStore.tag(name) };
      monitors.requireRoom(
        checked.monitors.map(({ prepared }) => prepared),
        known,
      );
      return shown(checked);
    },
    configuration: () => configurationOf(ports),
    async writeYaml(signal) {
      const { result } = await inWords(views.run('write_monitors', { configuration: configurationOf(ports) }, signal));
      return result.text;
    },
  };
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
  { format, monitors: read, tags: readTags, leftOut }: ImportResult,
  given: MonitorExchangePorts,
): Promise<CheckedImport> {
  const ports = { ...given, ...askedOnce(given) };
  const left: LeftOut[] = [...leftOut];
  const tags = readTags.flatMap((tag) => {
    const { path, name, settings, names } = tag;
    const body = orLeave(path, left, () => parsed(NewMonitorTag, { name, ...settings, ...idsOf(names, ports) }));
    return body ? [{ path, body }] : [];
  });
  const newTags = tags.filter(({ path, body }) => isNewTag(path, body, left, ports)).map(({ body }) => body);
  const monitors: CheckedImport['monitors'][number][] = [];
  for (const [place, one] of read.entries()) {
    // Checking ten thousand takes seconds in which others must be served.
    if (place % CHECKED_AT_ONCE === 0) await setImmediate();
    const made = orLeave(one.path, left, () => checked(one, ports));
    if (made) monitors.push({ path: one.path, ...made });
  }
  return { monitors, newTags, body: { format, tags: tags.map(({ body }) => body), left_out: left } };
}

function checked(
  { monitor, names }: ReadMonitor,
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

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new AppError('bad_request', `${place === '' ? 'It' : `"${place}"`} ${issue?.message ?? 'is not valid'}.`);
}

/** What `make` gives; undefined, and told, where it is refused. */
function orLeave<Made>(path: string, left: LeftOut[], make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'bad_request' && error.code !== 'not_found')) throw error;
    left.push({ path, message: `${error.message} It is left out as a whole.` });
    return undefined;
  }
}
