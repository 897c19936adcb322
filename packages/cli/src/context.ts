// What every command is given: output that keeps data and talk apart, and a client that finds or starts the agent.
import { writeFileSync } from 'node:fs';
import type { AgentClient, FoundAgent } from '@weft/client/node';
import { createClient, discoverAgent } from '@weft/client/node';
import { startAgent } from './agent-process.ts';
import { asCalled } from './called.ts';
import type { Environment } from './environment.ts';
import type { CommandWords } from './words.ts';

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
  /** Talk: to standard error. */
  say(text: string): void;
  /** The running agent, which is started when none runs. */
  agent(): Promise<FoundAgent>;
  /** A client for it. */
  client(): Promise<AgentClient>;
  /** The running agent, if there is one. Throws DiscoveryError. */
  find(): Promise<FoundAgent>;
}

export function createContext(
  environment: Environment,
  commands: readonly CommandWords[],
  isJson: boolean,
  signal: AbortSignal,
): CommandContext {
  const names = commands.map(({ name }) => name);
  const forPeople = (text: string) => asCalled(text, environment.called, names);
  const say = (text: string) => void process.stderr.write(`${forPeople(text)}\n`);
  const find = () => discoverAgent({ env: environment.variables });
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
    signal,
    print,
    show: (value, text) => print(isJson ? JSON.stringify(value, null, 2) : forPeople(text)),
    say,
    find,
    agent,
    client: async () => {
      const { baseUrl, token } = await agent();
      return createClient({ baseUrl, token });
    },
  };
}
