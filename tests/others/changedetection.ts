// changedetection.io of PyPI on loopback: watches are made by its API, and it backs itself up.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { bringPackages } from '../../bench/apps/packages.ts';
import { ownPrograms } from '../../bench/apps/programs.ts';
import { SETTINGS } from '../../bench/src/settings.ts';
import { until } from '../until.ts';

export const VERSION = '0.60.10';
const PATIENCE_MS = 180_000;
const LOOK_MS = 200;

/** A program that runs until it is closed. */
export interface ChangeDetection {
  /** Its own description of its API. */
  readonly specification: string;
  /** Makes a watch or a tag; its uuid. */
  make(noun: 'watch' | 'tag', body: object): Promise<string>;
  /** What its API answers of one watch. */
  read(uuid: string): Promise<Readonly<Record<string, unknown>>>;
  /** Looks at these watches; of each whether it found a change, or could not look. */
  check(uuids: readonly string[]): Promise<ReadonlyMap<string, 'changed' | 'same' | 'failed'>>;
  /** The archive that it makes of itself. */
  backUp(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** For what it is started. */
export interface ChangeDetectionUse {
  /** It knows a proxy, which leads nowhere and is every watch's unless one says otherwise: for watches that are configured, and not checked. */
  readonly hasProxy: boolean;
}

/** Installs it on first use and starts it with a folder of its own. Throws with a sentence that says what is lacking. */
export async function startChangeDetection(port: number, { hasProxy }: ChangeDetectionUse): Promise<ChangeDetection> {
  const home = join(SETTINGS.appsFolder, 'changedetection');
  mkdirSync(home, { recursive: true });
  await bringPackages({ pip: [`changedetection.io==${VERSION}`] }, SETTINGS.appsFolder, home);
  const folder = mkdtempSync(join(tmpdir(), 'weft-changedetection-'));
  if (hasProxy) writeFileSync(join(folder, 'proxies.json'), JSON.stringify({ local: { label: 'local', url: 'http://127.0.0.1:9' } }));
  const programs = ownPrograms(join(folder, 'log'));
  const origin = `http://127.0.0.1:${port}`;
  programs.start(join(home, 'python/bin/changedetection.io'), ['-h', '127.0.0.1', '-p', String(port), '-d', folder, '-C'], {
    env: { HOME: folder, ALLOW_IANA_RESTRICTED_ADDRESSES: 'true', FETCH_WORKERS: hasProxy ? '1' : '4' },
  });
  await programs.answers(origin);
  const key = keyIn(join(folder, 'changedetection.json'));
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${origin}/api/v1${path}`, { ...init, headers: { 'x-api-key': key, 'content-type': 'application/json' } });
    const text = await response.text();
    assert.ok(response.ok, `${path} ${String(init.body)}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  };
  // It comes with two watches of pages on the internet.
  const own = hasProxy ? [] : Object.keys(await call('/watch'));
  for (const uuid of own) await fetch(`${origin}/api/v1/watch/${uuid}`, { method: 'DELETE', headers: { 'x-api-key': key } });
  return {
    specification: readFileSync(join(sourceIn(home), 'docs/api-spec.yaml'), 'utf8'),
    make: async (noun, body) => String((await call(`/${noun}`, { method: 'POST', body: JSON.stringify(body) }))['uuid']),
    read: (uuid) => call(`/watch/${uuid}`),
    check: (uuids) => check(uuids, call),
    backUp: () => backUp(origin),
    async close() {
      await programs.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Each watch counts its checks, and keeps a text for each that it found changed. */
async function check(
  uuids: readonly string[],
  call: (path: string) => Promise<Readonly<Record<string, unknown>>>,
): Promise<ReadonlyMap<string, 'changed' | 'same' | 'failed'>> {
  const readAll = async () => new Map(await Promise.all(uuids.map(async (uuid) => [uuid, await call(`/watch/${uuid}`)] as const)));
  const before = await readAll();
  for (const uuid of uuids) await call(`/watch/${uuid}?recheck=1`);
  let after = before;
  const isLookedAt = (uuid: string) => Number(after.get(uuid)?.['check_count']) > Number(before.get(uuid)?.['check_count']);
  for (const startedMs = performance.now(); !uuids.every(isLookedAt); after = await readAll()) {
    const left = uuids.filter((uuid) => !isLookedAt(uuid));
    assert.ok(
      performance.now() - startedMs < PATIENCE_MS,
      `not checked within ${PATIENCE_MS} ms: ${JSON.stringify(after.get(left[0] ?? ''))}`,
    );
    await sleep(LOOK_MS);
  }
  return new Map(
    uuids.map((uuid) => {
      const { history_n: n, last_error: error } = after.get(uuid) ?? {};
      const isChanged = n !== before.get(uuid)?.['history_n'];
      return [uuid, isChanged ? 'changed' : error !== false && error !== undefined && error !== '' ? 'failed' : 'same'];
    }),
  );
}

/** Where its modules lie, whatever Python there is. */
function sourceIn(home: string): string {
  const lib = join(home, 'python/lib');
  const python = readdirSync(lib).find((name) => name.startsWith('python3')) ?? '';
  return join(lib, python, 'site-packages/changedetectionio');
}

function keyIn(file: string): string {
  const { settings } = JSON.parse(readFileSync(file, 'utf8')) as { settings: { application: { api_access_token: string } } };
  return settings.application.api_access_token;
}

/** As a person does it: the button of its page, then the newest of its files. */
async function backUp(origin: string): Promise<Uint8Array> {
  const page = await fetch(`${origin}/backups/`);
  const cookie = page.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const token = /name="csrf_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  const asked = await fetch(`${origin}/backups/request-backup`, {
    method: 'POST',
    headers: { cookie, referer: `${origin}/backups/` },
    body: new URLSearchParams({ csrf_token: token }),
    redirect: 'manual',
  });
  assert.equal(asked.status, 302, await asked.text());
  let name: string | undefined;
  await until(async () => {
    name = /changedetection-backup-\d+\.zip/.exec(await (await fetch(`${origin}/backups/`)).text())?.[0];
    return name !== undefined;
  });
  const file = await fetch(`${origin}/backups/download/${name}`);
  assert.equal(file.status, 200);
  return new Uint8Array(await file.arrayBuffer());
}
