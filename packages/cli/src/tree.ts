// The command tree: what the folders of `commands/` add to it, under the headings of the help.
import { GROUPS } from './generated/commands.ts';
import { SECTIONS } from './spec.ts';
import type { CommandSpec, Section } from './spec.ts';

/** A command of the tree's first floor, with its heading. */
export interface TopCommand extends CommandSpec {
  readonly section: Section;
}

/** All commands, in the order of the help. */
export const COMMANDS: readonly TopCommand[] = SECTIONS.flatMap((section) =>
  GROUPS.filter((group) => group.section === section).flatMap(({ commands }) => commands.map((command) => ({ ...command, section }))),
);
