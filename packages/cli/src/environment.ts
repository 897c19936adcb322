// What the command line takes from the environment. The only file of the program that reads it.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Environment {
  /** As given, for discovery and for the programs that are started. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Undefined until the agent has made its home: Node's way of making folders never returns below /proc. */
  readonly compileCache: string | undefined;
  /** How the program was called: `weft`, or what a person typed to start it from a checkout. */
  readonly called: string;
  /** Standard error is a terminal that shows colours, and whoever started it wants some (no-color.org). */
  readonly hasColour: boolean;
  /** Standard output is a person's terminal. */
  readonly isTerminal: boolean;
}

export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const home = resolve(variables['SERVICE_HOME'] || join(homedir(), '.weft'));
  const isTerminal = Boolean(process.stdout.isTTY);
  return Object.freeze({
    variables,
    home,
    called: variables['SERVICE_CALLED'] || 'weft',
    compileCache: existsSync(join(home, 'cache')) ? join(home, 'cache', 'compile') : undefined,
    hasColour: Boolean(process.stderr.isTTY) && variables['TERM'] !== 'dumb' && !variables['NO_COLOR'],
    isTerminal,
  });
}
