// Installs and starts applications below one home folder, each once, and ends what it started.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { App, Listen, Page, Place, Software } from './app.ts';
import { bringPackages, unpackedRoot, versionOf } from './packages.ts';
import { ownPrograms } from './programs.ts';

/** The loopback addresses that are tried in turn for an application's port. */
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];

/** An application that answers. */
export interface Running<Of extends Software = App> {
  readonly app: Of;
  readonly origin: string;
  readonly version: string;
  /** Ends its programs and starts them again at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The folder of one application below `home`. */
export function placeOf(app: Software, home: string): Place {
  return { folder: join(home, app.name), unpacked: (name) => unpackedRoot(home, name) };
}

/** Takes `home` for this process until it is disposed. Throws when another one that lives has it. */
export function takeHome(home: string): Disposable {
  mkdirSync(home, { recursive: true });
  const path = join(home, '.owner');
  const owner = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  if (owner !== process.pid && isAlive(owner))
    throw new Error(`${home} is in use by process ${owner}. End that, or name another folder in WEFT_APPS_HOME.`);
  writeFileSync(path, String(process.pid));
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

/** Installs the application unless it is there as its file describes it. Throws with what is lacking. */
export async function installApp(app: Software, home: string): Promise<void> {
  const place = placeOf(app, home);
  mkdirSync(place.folder, { recursive: true });
  await bringPackages(app.needs, home, place.folder);
  const stamp = join(place.folder, '.installed');
  const wanted = createHash('sha256').update(readFileSync(app.source)).update(JSON.stringify(app.needs)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(join(place.folder, TRUTH), { force: true });
  await app.install(place);
  writeFileSync(stamp, wanted);
}

/** Starts an installed application, on its own address unless `listen` says another. */
export async function startApp<Of extends Software>(app: Of, home: string, listen?: Listen): Promise<Running<Of>> {
  const place = placeOf(app, home);
  const programs = ownPrograms(join(place.folder, 'log.txt'));
  try {
    const address = listen ?? (await freeAddress(app));
    await app.start(place, address, programs);
    return {
      app,
      origin: address.origin,
      version: versionOf(app.package, app.needs, home),
      async restart() {
        await programs.stop();
        await app.start(place, address, programs);
      },
      stop: () => programs.stop(),
    };
  } catch (error) {
    await programs.stop();
    throw error;
  }
}

const TRUTH = 'truth.json';

/** The application's own pages. Found by a walk or a count of files, they are kept beside it: reading never changes them. */
export async function truthOf(running: Running, home: string): Promise<readonly Page[]> {
  const path = join(home, running.app.name, TRUTH);
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Page[];
  const pages = await running.app.truth(placeOf(running.app, home), running.origin);
  writeFileSync(path, JSON.stringify(pages, undefined, 1));
  return pages;
}

/** The application's port on the first loopback address where it is free. */
export async function freeAddress({ port }: Software): Promise<Listen> {
  for (const host of HOSTS) if (await isFree(host, port)) return { host, port, origin: `http://${host}:${port}` };
  throw new Error(`port ${port} is taken on ${HOSTS.join(', ')}`);
}

function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

function isAlive(pid: number): boolean {
  try {
    if (pid > 0) process.kill(pid, 0);
    return pid > 0;
  } catch {
    return false;
  }
}
