// What every command is given: output that keeps data and talk apart, and a client that finds or starts the agent.
import { writeFileSync } from 'node:fs';
import type { AgentClient, CloudClient, FoundAgent } from '@weft/client/node';
import { createClient, createCloudClient, discoverAgent, discoverCloud } from '@weft/client/node';
import { startAgent } from './agent-process.ts';
import { asCalled } from './called.ts';
import type { Environment } from './environment.ts';
import { SILENT, createStatusLine } from './status-line.ts';
import type { StatusLine } from './status-line.ts';
import type { CommandWords } from './words.ts';

/** Where nothing listens a probe ends at once, so this is for an agent on a busy machine: no second one is started beside it. */
const PROBE_MS = 10_000;

export interface CommandContext {
  /** All commands. */
  readonly commands: readonly CommandWords[];
  readonly environment: Environment;
  /** `--json`: one document on standard output, failures included. */
  readonly isJson: boolean;
  readonly signal: AbortSignal;
  /** Data: to standard output, or to `file`. Ends with one line break. */
  print(text: string, file?: string): void;
  /** Data of a command: as JSON under --json, else as `text`. */
  show(value: unknown, text: string): void;
  /** Talk: to standard error. Under --quiet only what failed is said, which has a line that names its cause. */
  say(text: string): void;
  /** `--quiet`: data and failures alone. */
  readonly isQuiet: boolean;
  /** How far something is, on standard error; nothing under --quiet. */
  readonly status: StatusLine;
  /** The running agent, which is started when none runs. */
  agent(): Promise<FoundAgent>;
  /** A client for it. */
  client(): Promise<AgentClient>;
  /** A client for the cloud that is named; no agent is started for it. Throws CloudAddressError. */
  cloud(): Promise<CloudClient>;
  /** The running agent, if there is one. Throws DiscoveryError. */
  find(): Promise<FoundAgent>;
}

/** How a command talks. */
export interface Manner {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
}

export function createContext(
  environment: Environment,
  commands: readonly CommandWords[],
  { isJson, isQuiet, isVerbose }: Manner,
  signal: AbortSignal,
): CommandContext {
  const names = commands.map(({ name }) => name);
  const forPeople = (text: string) => asCalled(text, environment.called, names);
  const status = isQuiet ? SILENT : createStatusLine(process.stderr);
  const say = (text: string) => {
    if (isQuiet && !text.includes('\nCause: ')) return;
    status.end();
    process.stderr.write(`${forPeople(text)}\n`);
  };
  const find = () => discoverAgent({ env: environment.variables, probeMs: PROBE_MS });
  const agent = () => find().catch(() => startAgent(environment, { find, say, signal }));
  const print = (text: string, file?: string) => {
    const ended = text.endsWith('\n') ? text : `${text}\n`;
    if (file === undefined) process.stdout.write(ended);
    else writeFileSync(file, ended);
  };
  return {
    environment,
    commands,
    isJson,
    isQuiet,
    signal,
    print,
    show: (value, text) => print(isJson ? JSON.stringify(value, null, 2) : forPeople(text)),
    say,
    status,
    find,
    agent,
    client: async () => {
      const { baseUrl, token } = await agent();
      return createClient({ baseUrl, token, ...(isVerbose ? { fetch: toldFetch(say) } : {}) });
    },
    cloud: async () =>
      createCloudClient({ ...(await discoverCloud({ env: environment.variables })), ...(isVerbose ? { fetch: toldFetch(say) } : {}) }),
  };
}

/** Says each call and what it comes to; queries may hold what is searched for and are left out. */
function toldFetch(say: (text: string) => void): typeof fetch {
  return async (input, init) => {
    const beganMs = performance.now();
    const { pathname } = new URL(String(input));
    const response = await fetch(input, init);
    say(`weft: ${init?.method ?? 'GET'} ${pathname} ${response.status} in ${Math.round(performance.now() - beganMs)} ms`);
    return response;
  };
}
