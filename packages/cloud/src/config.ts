// The settings of the cloud. The only file of the program that reads the environment and the arguments, once.
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
  /** Crawls, and parts of divided ones, that this process works on at once. */
  readonly crawlsAtOnce: number;
  /** Of one account, over all processes. */
  readonly crawlsPerAccount: number;
  /** How long a crawl is worked on before one that waits has its place. */
  readonly turnSeconds: number;
  readonly version: string;
  readonly userAgent: string;
  readonly chromePath: string | undefined;
}

export class ConfigError extends Error {}

export const VERSION = '0.1.0';
/** The name that robots.txt groups are chosen by. */
export const PRODUCT_TOKEN = 'WeftBot';
const DEFAULT_PORT = 8141;

type Env = Readonly<Record<string, string | undefined>>;

/** What the program takes on its command line, with what it means and, for what is counted, what it may be. */
export const CLOUD_OPTIONS = {
  port: { type: 'string', says: '--port N' },
  'private-target': { type: 'string', multiple: true, says: '--private-target host:port (again for more)' },
  'no-keyless': { type: 'boolean', says: '--no-keyless' },
  'crawls-at-once': { type: 'string', says: '--crawls-at-once N' },
  'crawls-per-account': { type: 'string', says: '--crawls-per-account N' },
  'turn-seconds': { type: 'string', says: '--turn-seconds N' },
} as const;

/** The settings that `args` and `env` give. Throws ConfigError that names what is wrong and what it may be. */
export function readConfig(args: readonly string[], env: Env): Config {
  const given = parsed(args);
  const { port, 'private-target': privateTargets = [], 'no-keyless': noKeyless = false } = given;
  return Object.freeze({
    home: homeOf(env),
    port: readPort(port ?? env['SERVICE_CLOUD_PORT']),
    databaseUrl: env['DATABASE_URL'] || undefined,
    privateTargets: privateTargets.map(readTarget),
    isKeyless: !noKeyless,
    crawlsAtOnce: readNumber('crawls-at-once', given['crawls-at-once'], { usual: 8, least: 1, most: 1000 }),
    crawlsPerAccount: readNumber('crawls-per-account', given['crawls-per-account'], { usual: 64, least: 1, most: 100_000 }),
    turnSeconds: readNumber('turn-seconds', given['turn-seconds'], { usual: 30, least: 0.05, most: 3600 }),
    version: VERSION,
    userAgent: `${PRODUCT_TOKEN}/${VERSION}`,
    chromePath: env['SERVICE_CHROME'] || undefined,
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

function readNumber(
  name: string,
  text: string | undefined,
  { usual, least, most }: { readonly usual: number; readonly least: number; readonly most: number },
): number {
  const value = text === undefined ? usual : Number(text);
  if (Number.isFinite(value) && value >= least && value <= most && (Number.isInteger(value) || least < 1)) return value;
  throw new ConfigError(
    `--${name} is "${text?.slice(0, 40)}"; it must be a ${least < 1 ? '' : 'whole '}number from ${least} to ${most} (${usual} unless said).`,
  );
}

function readTarget(text: string): string {
  if (/^[^\s/:]+:\d{1,5}$|^\[[0-9a-f:.]+\]:\d{1,5}$/i.test(text)) return text.toLowerCase();
  throw new ConfigError(`--private-target is "${text.slice(0, 100)}"; it must be host:port, such as intranet.example:8080.`);
}
