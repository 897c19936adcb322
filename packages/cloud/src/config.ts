// The settings of the cloud. The only file of the program that reads the environment and the arguments, once.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** What a process does: answers calls, works on crawls, or both. */
export type Role = 'api' | 'worker' | 'all';

/** Where and as whom the cloud is called. */
export interface Listening {
  /** The address of the listener. */
  readonly address: string;
  readonly tls: { readonly key: string; readonly cert: string } | undefined;
  /** Addresses of proxies whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  /** Origins by which it is called beside its own address, such as `https://cloud.example.com`. */
  readonly publicUrls: readonly string[];
}

export interface Config {
  readonly role: Role;
  readonly listening: Listening;
  /** For whoever watches the process: metrics and probes, without a credential; undefined unless asked for. */
  readonly internal: { readonly address: string; readonly port: number } | undefined;
  /** Seconds between the signal to stop and the end of the listener, in which balancers hear that it is not ready. */
  readonly drainSeconds: number;
  /** Connections to the database at most. */
  readonly connections: number;
  /** Where traces go, as OTLP over HTTP; undefined unless set. */
  readonly traces: { readonly url: string; readonly headers: Readonly<Record<string, string>> } | undefined;
  /** Where pictures are kept: a folder, the database, or a bucket. */
  readonly blobs: BlobPlace;
  /** Where the server of its own and its logs are kept. */
  readonly home: string;
  readonly port: number;
  /** A PostgreSQL of the operator's; without one the cloud starts its own. */
  readonly databaseUrl: string | undefined;
  /** `host:port` pairs that are not public and may be scraped all the same: the operator's own sites. */
  readonly privateTargets: readonly string[];
  readonly isKeyless: boolean;
  /** Crawls, and parts of divided ones, that this process works on at once. */
  readonly crawlsAtOnce: number;
  /** Of one account, over all processes. */
  readonly crawlsPerAccount: number;
  /** How long a crawl is worked on before one that waits has its place. */
  readonly turnSeconds: number;
  readonly version: string;
  readonly userAgent: string;
  readonly chromePath: string | undefined;
  /** The model that builds may ask; undefined where the operator names none. */
  readonly model: NamedModel | undefined;
}

/** A model of the operator's. */
export interface NamedModel {
  readonly url: string;
  readonly name: string;
  readonly format: 'openai' | 'anthropic';
  /** A function, so that whatever writes the configuration out leaves it out. */
  readonly key: () => string | undefined;
}

export type BlobPlace =
  | { readonly kind: 'files' | 'database' }
  | {
      readonly kind: 's3';
      /** With the bucket as its path. */
      readonly url: string;
      readonly region: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    };

export class ConfigError extends Error {}

export const VERSION = '0.1.0';
/** The name that robots.txt groups are chosen by. */
export const PRODUCT_TOKEN = 'WeftBot';
const DEFAULT_PORT = 8141;

type Env = Readonly<Record<string, string | undefined>>;

/** What the program takes on its command line, with what it means and, for what is counted, what it may be. */
export const CLOUD_OPTIONS = {
  port: { type: 'string', says: '--port N' },
  role: { type: 'string', says: '--role api|worker|all' },
  listen: { type: 'string', says: '--listen ADDRESS' },
  'tls-cert': { type: 'string', says: '--tls-cert FILE' },
  'tls-key': { type: 'string', says: '--tls-key FILE' },
  'trusted-proxy': { type: 'string', multiple: true, says: '--trusted-proxy ADDRESS (again for more)' },
  'public-url': { type: 'string', multiple: true, says: '--public-url https://NAME (again for more)' },
  internal: { type: 'string', says: '--internal ADDRESS:PORT' },
  'drain-seconds': { type: 'string', says: '--drain-seconds N' },
  connections: { type: 'string', says: '--connections N' },
  blobs: { type: 'string', says: '--blobs files|database|URL of a bucket' },
  'private-target': { type: 'string', multiple: true, says: '--private-target host:port (again for more)' },
  'no-keyless': { type: 'boolean', says: '--no-keyless' },
  'crawls-at-once': { type: 'string', says: '--crawls-at-once N' },
  'crawls-per-account': { type: 'string', says: '--crawls-per-account N' },
  'turn-seconds': { type: 'string', says: '--turn-seconds N' },
} as const;

/** What the program answers to `--help`. */
export function helpText(): string {
  const options = Object.values(CLOUD_OPTIONS).map(({ says }) => `  ${says}`);
  return [
    'Usage: npm run cloud -- [options]',
    '',
    'Runs a cloud in the foreground, with a PostgreSQL of its own unless DATABASE_URL names one.',
    '',
    'Options:',
    ...options,
    '',
    'An address that is not public is read where --private-target names it: --private-target localhost:8080.',
    'docs/cloud.md says what each option and variable does, and what is usual.',
  ].join('\n');
}

/** The settings that `args` and `env` give. Throws ConfigError that names what is wrong and what it may be. */
export function readConfig(args: readonly string[], env: Env): Config {
  const given = parsed(args);
  const { port, 'private-target': privateTargets = [], 'no-keyless': noKeyless = false } = given;
  return Object.freeze({
    home: homeOf(env),
    port: readPort(port ?? env['SERVICE_CLOUD_PORT']),
    role: readRole(given.role),
    listening: readListening(given),
    internal: given.internal === undefined ? undefined : readInternal(given.internal),
    drainSeconds: readNumber('drain-seconds', given['drain-seconds'], { usual: 0, least: 0, most: 600 }),
    connections: readNumber('connections', given.connections, { usual: 10, least: 2, most: 1000 }),
    traces: readTraces(env),
    blobs: readBlobs(given.blobs, env),
    databaseUrl: env['DATABASE_URL'] || undefined,
    privateTargets: privateTargets.map(readTarget),
    isKeyless: !noKeyless,
    crawlsAtOnce: readNumber('crawls-at-once', given['crawls-at-once'], { usual: 8, least: 1, most: 1000 }),
    crawlsPerAccount: readNumber('crawls-per-account', given['crawls-per-account'], { usual: 64, least: 1, most: 100_000 }),
    turnSeconds: readNumber('turn-seconds', given['turn-seconds'], { usual: 30, least: 0.05, most: 3600 }),
    version: VERSION,
    userAgent: `${PRODUCT_TOKEN}/${VERSION}`,
    chromePath: env['SERVICE_CHROME'] || undefined,
    model: readModel(env),
  });
}

/** What the administration of accounts is asked to do, and at which database. */
export interface AdminConfig {
  readonly home: string;
  readonly databaseUrl: string | undefined;
  readonly verb: 'list' | 'open' | 'grant' | 'key' | 'delete';
  /** An id, or the name of a new account. */
  readonly of: string;
  readonly credits: number;
}

const ADMIN_VERBS = ['list', 'open', 'grant', 'key', 'delete'] as const;
const CREDITS_MAX = 1_000_000_000;

/** The order that `args` and `env` give. Throws ConfigError. */
export function readAdminConfig(args: readonly string[], env: Env): AdminConfig {
  const { values, positionals } = parseAdmin(args);
  const [verb, of = '', given = values.credits ?? '0'] = positionals;
  const known = ADMIN_VERBS.find((one) => one === verb);
  if (known === undefined) throw new ConfigError(`"${verb ?? ''}" is no order; there are ${ADMIN_VERBS.join(', ')}.`);
  if (known !== 'list' && of === '') throw new ConfigError(`${known} needs ${known === 'open' ? 'a name' : 'the id of an account'}.`);
  const credits = Number(given);
  if (!/^\d{1,10}$/.test(given) || credits > CREDITS_MAX || (known === 'grant' && credits === 0))
    throw new ConfigError(`The credits are "${given.slice(0, 40)}"; they must be a whole number up to ${CREDITS_MAX}.`);
  return Object.freeze({ home: homeOf(env), databaseUrl: env['DATABASE_URL'] || undefined, verb: known, of, credits });
}

function parseAdmin(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { credits: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}.`);
  }
}

function homeOf(env: Env): string {
  return join(resolve(env['SERVICE_HOME'] || join(homedir(), '.weft')), 'cloud');
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: CLOUD_OPTIONS }).values;
  } catch (error) {
    const options = Object.values(CLOUD_OPTIONS).map(({ says }) => says);
    throw new ConfigError(`${(error as Error).message}. What there is: ${options.join(', ')}.`);
  }
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new ConfigError(`The port is "${text.slice(0, 40)}"; it must be a whole number from 0 to 65535 (0 takes a free one).`);
}

function readRole(text = 'all'): Role {
  if (text === 'api' || text === 'worker' || text === 'all') return text;
  throw new ConfigError(`--role is "${text.slice(0, 40)}"; it must be api, worker or all (all unless said).`);
}

function readListening(given: ReturnType<typeof parsed>): Listening {
  const { listen: address = '127.0.0.1', 'tls-cert': cert, 'tls-key': key, 'trusted-proxy': trustedProxies = [] } = given;
  if (isIP(address) === 0) throw new ConfigError(`--listen is "${address.slice(0, 100)}"; it must be an address, such as 0.0.0.0 or ::.`);
  for (const proxy of trustedProxies)
    if (isIP(proxy) === 0)
      throw new ConfigError(`--trusted-proxy is "${proxy.slice(0, 100)}"; it must be the address that the proxy calls from.`);
  if ((cert === undefined) !== (key === undefined)) throw new ConfigError('--tls-cert and --tls-key belong together; name both files.');
  const tls = cert === undefined || key === undefined ? undefined : { cert: readFile('tls-cert', cert), key: readFile('tls-key', key) };
  const isLoopback = address === '::1' || address.startsWith('127.');
  if (!isLoopback && !tls && trustedProxies.length === 0)
    throw new ConfigError(
      `--listen ${address} is not this machine alone, and keys would pass in the open. Name --tls-cert and --tls-key, or the proxy in front of it that speaks TLS: --trusted-proxy ADDRESS.`,
    );
  return { address, tls, trustedProxies, publicUrls: (given['public-url'] ?? []).map(readOrigin) };
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.username === '') return url.origin;
  throw new ConfigError(`--public-url is "${text.slice(0, 100)}"; it must be an origin, such as https://cloud.example.com.`);
}

function readFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`--${option} names ${path}, which can't be read: ${(error as Error).message}.`);
  }
}

function readInternal(text: string): { readonly address: string; readonly port: number } {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? '';
  if (isIP(address) > 0 && Number(port) <= 65_535) return { address, port: Number(port) };
  throw new ConfigError(`--internal is "${text.slice(0, 100)}"; it must be an address and a port, such as 127.0.0.1:9464.`);
}

/** The variables of OpenTelemetry. */
function readTraces(env: Env): Config['traces'] {
  const whole = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  const base = env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const text = whole || (base && `${base.replace(/\/$/, '')}/v1/traces`);
  if (!text) return undefined;
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new ConfigError(`OTEL_EXPORTER_OTLP_ENDPOINT is "${text.slice(0, 100)}"; it must be an http or https address.`);
  const pairs = (env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '').split(',').filter((pair) => pair.includes('='));
  const headers = pairs.map((pair) => [
    pair.slice(0, pair.indexOf('=')).trim(),
    decodeURIComponent(pair.slice(pair.indexOf('=') + 1).trim()),
  ]);
  return { url: text, headers: Object.fromEntries(headers) as Record<string, string> };
}

function readBlobs(text: string | undefined, env: Env): BlobPlace {
  if (text === undefined || text === 'files') return { kind: 'files' };
  if (text === 'database') return { kind: 'database' };
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname.length < 2)
    throw new ConfigError(
      `--blobs is "${text.slice(0, 100)}"; it must be files, database, or a bucket such as https://s3.example.com/pictures.`,
    );
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_REGION: region = 'us-east-1' } = env;
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError(
      '--blobs names a bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to a key that may read, write and delete there.',
    );
  return { kind: 's3', url: text.replace(/\/$/, ''), region, accessKeyId, secretAccessKey };
}

function readNumber(
  name: string,
  text: string | undefined,
  { usual, least, most }: { readonly usual: number; readonly least: number; readonly most: number },
): number {
  const value = text === undefined ? usual : Number(text);
  if (Number.isFinite(value) && value >= least && value <= most && (Number.isInteger(value) || (least > 0 && least < 1))) return value;
  throw new ConfigError(
    `--${name} is "${text?.slice(0, 40)}"; it must be a ${least > 0 && least < 1 ? '' : 'whole '}number from ${least} to ${most} (${usual} unless said).`,
  );
}

function readTarget(text: string): string {
  if (/^[^\s/:]+:\d{1,5}$|^\[[0-9a-f:.]+\]:\d{1,5}$/i.test(text)) return text.toLowerCase();
  throw new ConfigError(`--private-target is "${text.slice(0, 100)}"; it must be host:port, such as intranet.example:8080.`);
}

function readModel(env: Env): NamedModel | undefined {
  const url = env['SERVICE_MODEL_URL'] ?? '';
  const name = env['SERVICE_MODEL_NAME'] ?? '';
  const format = env['SERVICE_MODEL_FORMAT'] || 'openai';
  if (url === '' && name === '') return undefined;
  const parsedUrl = URL.parse(url);
  const isPlain = parsedUrl?.username === '' && parsedUrl.password === '' && parsedUrl.search === '' && parsedUrl.hash === '';
  if (!isPlain || !/^https?:$/.test(parsedUrl.protocol))
    throw new ConfigError(
      'SERVICE_MODEL_URL must be an http or https address without user, password and query, such as https://api.openai.com/v1.',
    );
  if (name === '') throw new ConfigError('SERVICE_MODEL_NAME must say what the model of SERVICE_MODEL_URL is called there.');
  if (format !== 'openai' && format !== 'anthropic')
    throw new ConfigError(`SERVICE_MODEL_FORMAT is "${format.slice(0, 40)}"; it must be openai or anthropic.`);
  const key = readModelKey(env['SERVICE_MODEL_KEY'] || undefined, env['SERVICE_MODEL_KEY_FILE'] || undefined);
  return { url, name, format, key: () => key };
}

/** From the environment, or from a file, as orchestrators hand secrets in. Its value is in no message. */
function readModelKey(text: string | undefined, file: string | undefined): string | undefined {
  const given = text ?? (file === undefined ? '' : readKeyFile(file));
  const key = given.trim();
  if (!/^[\x21-\x7e]{0,1000}$/.test(key))
    throw new ConfigError('The key of the model must be at most 1,000 plain characters without spaces.');
  return key === '' ? undefined : key;
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`SERVICE_MODEL_KEY_FILE can't be read: ${(error as Error).message}.`);
  }
}
