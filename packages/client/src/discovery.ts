// Finds a live agent (D13) and makes it prove who it is before any token is sent (D12).
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CloudAddressError, DiscoveryError, asObject } from './errors.ts';

export interface FoundAgent {
  readonly baseUrl: string;
  readonly token: string;
  /** Where the address came from, for people. */
  readonly source: string;
}

export interface DiscoveryOptions {
  /** An explicit address; takes only an explicit token. */
  readonly baseUrl?: string | undefined;
  readonly token?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for each probe; default 1,000. */
  readonly probeMs?: number;
}

const PROBE_MS = 1000;
const DEFAULT_PORT = 8131;

/** The first agent that answers, in the order of D13. Throws DiscoveryError with everything that was tried. */
export async function discoverAgent(options: DiscoveryOptions = {}): Promise<FoundAgent> {
  const env = options.env ?? {};
  const tried: string[] = [];
  const explicit = explicitAddress(options, env);
  if (explicit) {
    const refusal = refuseAddress(explicit.baseUrl) ?? (explicit.token ? undefined : 'needs a token beside it (SERVICE_TOKEN)');
    if (refusal) throw new DiscoveryError([`${explicit.source} ${explicit.baseUrl}: ${refusal}`]);
    return { ...explicit, token: explicit.token ?? '' };
  }
  const probeMs = options.probeMs ?? PROBE_MS;
  // All are asked at once and taken in order, so that those that are slow to answer cost no more than one of them.
  const candidates = runtimeFiles(env).map((file) => ({ file, answer: tryRuntimeFile(file, probeMs) }));
  for (const { file, answer } of candidates) {
    const found = await answer;
    if (typeof found !== 'string') return { ...found, token: options.token ?? env['SERVICE_TOKEN'] ?? found.token };
    tried.push(`${file}: ${found}`);
  }
  const token = options.token ?? env['SERVICE_TOKEN'];
  if (token === undefined) throw new DiscoveryError([...tried, 'SERVICE_TOKEN: not set, so no port was tried']);
  const ports = [...new Set([Number(env['SERVICE_PORT'] ?? DEFAULT_PORT), DEFAULT_PORT])];
  const listeners = ports.map((port) => ({ port, answer: answers(`http://127.0.0.1:${port}`, probeMs) }));
  for (const { port, answer } of listeners) {
    const baseUrl = `http://127.0.0.1:${port}`;
    if (await answer) return { baseUrl, token, source: `SERVICE_TOKEN and port ${port}` };
    tried.push(`${baseUrl}: nothing answers`);
  }
  throw new DiscoveryError(tried);
}

/** Where a cloud is, and what this machine shows it. */
export interface FoundCloud {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Of this machine, for keyless calls. */
  readonly clientId: string;
}

const CLIENT_ID = /^[A-Za-z0-9_-]{16,128}$/;

/**
 * The cloud that is named (D13): by `baseUrl` or SERVICE_CLOUD_URL, for there is no usual one; with `token` or SERVICE_API_KEY, and a device
 * id, SERVICE_CLIENT_ID or one that is made once and kept in the home. Throws CloudAddressError that says what is missing.
 */
export async function discoverCloud(options: Omit<DiscoveryOptions, 'probeMs'> = {}): Promise<FoundCloud> {
  const env = options.env ?? {};
  const given = options.baseUrl ?? env['SERVICE_CLOUD_URL'];
  if (!given) throw new CloudAddressError('SERVICE_CLOUD_URL: not set; the cloud of `npm run cloud` is at http://127.0.0.1:8141');
  const baseUrl = trimSlash(given);
  const refusal = refuseAddress(baseUrl);
  if (refusal) throw new CloudAddressError(`${baseUrl}: ${refusal}`);
  const clientId = env['SERVICE_CLIENT_ID'] || (await keptClientId(env));
  if (!CLIENT_ID.test(clientId)) throw new CloudAddressError('SERVICE_CLIENT_ID: must be 16 to 128 letters, digits, "-" and "_"');
  return { baseUrl, apiKey: options.token ?? (env['SERVICE_API_KEY'] || undefined), clientId };
}

async function keptClientId(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const home = env['SERVICE_HOME'] || join(env['HOME'] ?? homedir(), '.weft');
  const file = join(home, 'client-id');
  await mkdir(home, { recursive: true, mode: 0o700 });
  // Of two programs that make one at the same time, one is kept.
  await writeFile(file, `${randomBytes(16).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return (await readFile(file, 'utf8')).trim();
}

function explicitAddress(options: DiscoveryOptions, env: Readonly<Record<string, string | undefined>>) {
  if (options.baseUrl) return { baseUrl: trimSlash(options.baseUrl), token: options.token, source: 'the given address' };
  const url = env['SERVICE_API_URL'];
  return url ? { baseUrl: trimSlash(url), token: options.token ?? env['SERVICE_TOKEN'], source: 'SERVICE_API_URL' } : undefined;
}

/** A token may travel to loopback or over TLS, nowhere else. */
function refuseAddress(baseUrl: string): string | undefined {
  const url = URL.parse(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol)) return 'is not an http or https URL';
  return url.protocol === 'https:' || url.hostname === '127.0.0.1' || url.hostname === '[::1]'
    ? undefined
    : 'must be https, or http on 127.0.0.1, because a token is sent there';
}

function runtimeFiles(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const homes = [env['SERVICE_HOME'], join(env['HOME'] ?? homedir(), '.weft')].filter((home): home is string => Boolean(home));
  return [...new Set(homes.map((home) => join(home, 'runtime.json')))];
}

/** The agent of a runtime file once it proved itself; otherwise why not. */
async function tryRuntimeFile(path: string, probeMs: number): Promise<FoundAgent | string> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return 'there is no such file (no agent runs on this home)';
  const runtime = parseRuntime(text);
  if (!runtime) return 'is not a runtime file that this version can read';
  const refusal = refuseAddress(runtime.baseUrl);
  if (refusal) return `its address ${refusal}`;
  const proof = await probe(runtime, probeMs);
  return proof
    ? { baseUrl: runtime.baseUrl, token: runtime.token, source: path }
    : `${runtime.baseUrl} does not answer as the agent that wrote it`;
}

interface Runtime {
  readonly baseUrl: string;
  readonly token: string;
  readonly instanceId: string;
  readonly secret: string;
}

function parseRuntime(text: string): Runtime | undefined {
  try {
    const { base_url: baseUrl, token, instance_id: instanceId, probe_secret: secret } = asObject(JSON.parse(text));
    if (typeof baseUrl !== 'string' || typeof token !== 'string' || typeof instanceId !== 'string' || typeof secret !== 'string')
      return undefined;
    return { baseUrl, token, instanceId, secret };
  } catch {
    return undefined;
  }
}

async function probe(runtime: Runtime, probeMs: number): Promise<boolean> {
  const nonce = randomBytes(32).toString('base64url');
  const expected = createHmac('sha256', runtime.secret)
    .update(['weft-probe-1', runtime.instanceId, runtime.baseUrl, nonce].join('\0'))
    .digest('base64url');
  const answer = await get(`${runtime.baseUrl}/probe?nonce=${nonce}`, probeMs);
  const { proof } = asObject(answer);
  return typeof proof === 'string' && proof.length === expected.length && timingSafeEqual(Buffer.from(proof), Buffer.from(expected));
}

async function answers(baseUrl: string, probeMs: number): Promise<boolean> {
  const nonce = randomBytes(32).toString('base64url');
  return typeof asObject(await get(`${baseUrl}/probe?nonce=${nonce}`, probeMs))['instance_id'] === 'string';
}

async function get(url: string, timeoutMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    return await response.json();
  } catch {
    return undefined;
  }
}

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
