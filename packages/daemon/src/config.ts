// The agent's settings. The only file of the program that reads the environment, once.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Config {
  /** Where everything is kept (D11). */
  readonly home: string;
  /** HTTP; the HTTPS twin takes the next one. 0 in tests: both are free ports. */
  readonly port: number;
  readonly version: string;
  /** Sent as User-Agent by both lanes: the product, and `contact` where there is one. */
  readonly userAgent: string;
  /** A page or a mail address at which sites reach whoever runs this agent. */
  readonly contact: string | undefined;
  /** A browser to use instead of looking for one. */
  readonly chromePath: string | undefined;
  /** What tells programs where their windows go; undefined where there is no screen. */
  readonly screen: Readonly<Record<string, string>> | undefined;
  /** The key of the model in use, where its settings name no secret. A function, so that whatever writes the configuration out leaves it out. */
  readonly modelKey: () => string | undefined;
}

export class ConfigError extends Error {}

const DEFAULT_PORT = 8131;
export const VERSION = '0.1.0';
/** The name that robots.txt groups are chosen by; part of the User-Agent, as RFC 9309 section 2.2.1 asks. */
export const PRODUCT_TOKEN = 'WeftBot';
const CONTACT_CHARS_MAX = 200;

/** The settings that `env` gives. Throws ConfigError that names the variable, its value and what it may be. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const contact = readContact(env['SERVICE_CONTACT']);
  return Object.freeze({
    home: resolve(env['SERVICE_HOME'] || join(homedir(), '.weft')),
    port: readPort(env['SERVICE_PORT']),
    version: VERSION,
    userAgent: userAgentOf(contact),
    contact,
    chromePath: env['SERVICE_CHROME'] || undefined,
    screen: readScreen(env, process.platform),
    modelKey: readModelKey(env['SERVICE_MODEL_KEY']),
  });
}

const SCREEN_NAMES = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR'];

/** Elsewhere than on Linux a program needs nothing to show a window. */
export function readScreen(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Readonly<Record<string, string>> | undefined {
  if (platform !== 'linux') return {};
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return undefined;
  return Object.fromEntries(SCREEN_NAMES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}

/** A page is marked with a plus sign, as crawlers do. */
function userAgentOf(contact: string | undefined): string {
  const product = `${PRODUCT_TOKEN}/${VERSION}`;
  if (contact === undefined) return product;
  return contact.includes('://') ? `${product} (+${contact})` : `${product} (${contact})`;
}

/** What stands in a comment of the User-Agent, where parentheses and backslashes have a meaning of their own (RFC 9110 section 5.6.5). */
function readContact(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const isPlain = text.length <= CONTACT_CHARS_MAX && /^[\x21-\x7e]+$/.test(text) && !/[()\\]/.test(text);
  if (isPlain && (/^https?:$/.test(URL.parse(text)?.protocol ?? '') || /^[^@/:]+@[^@/:]+\.[^@/:]+$/.test(text))) return text;
  throw new ConfigError(
    `SERVICE_CONTACT is "${text.slice(0, 40)}"; it must be an http or https address or a mail address, in at most ${CONTACT_CHARS_MAX} plain characters without parentheses.`,
  );
}

const MODEL_KEY_CHARS_MAX = 1000;

/** What may stand in a header, in one line. Its value is in no message. */
function readModelKey(text: string | undefined): () => string | undefined {
  const key = text?.trim() ?? '';
  if (key.length <= MODEL_KEY_CHARS_MAX && /^[\x21-\x7e]*$/.test(key)) return () => (key === '' ? undefined : key);
  throw new ConfigError(`SERVICE_MODEL_KEY must be at most ${MODEL_KEY_CHARS_MAX} plain characters without spaces.`);
}

/** A port from 1 to 65534, because the HTTPS twin needs the next one. */
function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_534) return port;
  throw new ConfigError(`SERVICE_PORT is "${text.slice(0, 40)}"; it must be a whole number from 1 to 65534 (HTTPS takes the next port).`);
}
