// The agent's settings. The only file of the program that reads the environment, once.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Config {
  /** Where everything is kept (D11). */
  readonly home: string;
  /** HTTP; the HTTPS twin takes the next one. 0 in tests: both are free ports. */
  readonly port: number;
  readonly version: string;
  /** Sent as User-Agent by both lanes. */
  readonly userAgent: string;
  /** A browser to use instead of looking for one. */
  readonly chromePath: string | undefined;
}

export class ConfigError extends Error {}

const DEFAULT_PORT = 8131;
export const VERSION = '0.1.0';

/** The settings that `env` gives. Throws ConfigError that names the variable, its value and what it may be. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return Object.freeze({
    home: resolve(env['SERVICE_HOME'] || join(homedir(), '.weft')),
    port: readPort(env['SERVICE_PORT']),
    version: VERSION,
    userAgent: `WeftBot/${VERSION} (+https://github.com/weft/weft)`,
    chromePath: env['SERVICE_CHROME'] || undefined,
  });
}

/** A port from 1 to 65534, because the HTTPS twin needs the next one. */
function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_534) return port;
  throw new ConfigError(`SERVICE_PORT is "${text.slice(0, 40)}"; it must be a whole number from 1 to 65534 (HTTPS takes the next port).`);
}
