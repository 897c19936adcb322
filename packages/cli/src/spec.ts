// A command as the tree holds it: its words, and how its implementation is loaded.
import type { CommandWords } from './words.ts';
import type { CommandContext } from './context.ts';

/** An implementation: resolves with an exit code, or nothing for 0. */
export type CommandRun = (
  context: CommandContext,
  args: readonly string[],
  options: Readonly<Record<string, string | boolean | undefined>>,
) => Promise<number | void>;

/** Under which heading `weft --help` lists a command, in this order. */
export const SECTIONS = ['Pages and sites', 'What was kept', 'Secrets and accounts', 'The agent', 'Who may call it', 'The cloud'] as const;
export type Section = (typeof SECTIONS)[number];

/** What a folder of commands adds to the tree: its `spec.ts` exports it as `group`. */
export interface GroupSpec {
  readonly section: Section;
  readonly commands: readonly CommandSpec[];
}

export interface CommandSpec extends CommandWords {
  readonly commands?: readonly CommandSpec[];
  /** Loaded when it is called. */
  readonly load?: () => Promise<{ readonly run: CommandRun }>;
}
