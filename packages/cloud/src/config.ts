// The settings of the cloud. The only file of the program that reads the environment and the arguments, once.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Config {
  /** Where the server of its own and its logs are kept. */
  readonly home: string;
  readonly port: number;
  /** A PostgreSQL of the operator's; without one the cloud starts its own. */
  readonly databaseUrl: string | undefined;
  /** `host:port` pairs that are not public and may be scraped all the same: the operator's own sites. */
  readonly privateTargets: readonly string[];
  readonly isKeyless: boolean;
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

export class ConfigError extends Error {}

export const VERSION = '0.1.0';
/** The name that robots.txt groups are chosen by. */
export const PRODUCT_TOKEN = 'WeftBot';
const DEFAULT_PORT = 8141;

type Env = Readonly<Record<string, string | undefined>>;

/** The settings that `args` and `env` give. Throws ConfigError that names what is wrong and what it may be. */
export function readConfig(args: readonly string[], env: Env): Config {
  const { port, 'private-target': privateTargets = [], 'no-keyless': noKeyless = false } = parsed(args);
  return Object.freeze({
    home: join(resolve(env['SERVICE_HOME'] || join(homedir(), '.weft')), 'cloud'),
    port: readPort(port ?? env['SERVICE_CLOUD_PORT']),
    databaseUrl: env['DATABASE_URL'] || undefined,
    privateTargets: privateTargets.map(readTarget),
    isKeyless: !noKeyless,
    version: VERSION,
    userAgent: `${PRODUCT_TOKEN}/${VERSION}`,
    chromePath: env['SERVICE_CHROME'] || undefined,
    model: readModel(env),
  });
}

/** What the program takes on its command line. */
export const CLOUD_OPTIONS = {
  port: { type: 'string' },
  'private-target': { type: 'string', multiple: true },
  'no-keyless': { type: 'boolean' },
} as const;

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: CLOUD_OPTIONS }).values;
  } catch (error) {
    throw new ConfigError(
      `${(error as Error).message}. What there is: --port N, --private-target host:port (again for more), --no-keyless.`,
    );
  }
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new ConfigError(`The port is "${text.slice(0, 40)}"; it must be a whole number from 0 to 65535 (0 takes a free one).`);
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
