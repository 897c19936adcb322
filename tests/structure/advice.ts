// What texts for people and programs tell them to do, held against what there is.
import { COMMANDS } from '../../packages/cli/src/tree.ts';
import { CLOUD_OPTIONS } from '../../packages/cloud/src/config.ts';
import type { CommandSpec } from '../../packages/cli/src/spec.ts';

/** All that advice may name. */
export interface Nameable {
  /** Environment variables that a program reads. */
  readonly variables: ReadonlySet<string>;
  /** Members of bodies and answers, parameters, and settings. */
  readonly members: ReadonlySet<string>;
  /** Scripts of the package. */
  readonly scripts: ReadonlySet<string>;
  /** Things of which the specification speaks and that no operation works with yet, as `persona`. */
  readonly missing: ReadonlySet<string>;
}

/** Options that every command or the program itself has. */
const SHARED_OPTIONS = ['--json', '--help', '--version', '--describe'];
/** Options of other programs in command lines that are shown. */
const FOREIGN_OPTIONS = ['--user', '--now', '--cacert', '--rounds', '--seed'];
const OPTION = /(?<=^|[\s`'"(|])--[a-z][a-z-]*/g;
/** What tells to change a quantity or a state; without a name behind it nobody knows what. */
const CHANGE = /\b(?:raise|lower|increase|decrease|reduce|enable|disable|configure|turn (?:on|off)) (?:the|a|an|its|your) (.{0,40})/gi;

/** What `text` names that is not there: one sentence each. */
export function faultsOfAdvice(text: string, { variables, members, scripts, missing }: Nameable): readonly string[] {
  return [
    ...namedBy(text, /(?<!\.\/)\bweft ((?:[a-z]+(?:-[a-z0-9]+)* ?)+)/g).flatMap((words) => commandFault(words)),
    ...optionFaults(text),
    ...namedBy(text, /\bnpm run ([a-z:-]+)/g)
      .filter((name) => !scripts.has(name))
      .map((name) => `there is no script ${name}`),
    ...namedBy(text, /\b(SERVICE_[A-Z_]+)\b/g)
      .filter((name) => !variables.has(name))
      .map((name) => `nothing reads ${name}`),
    ...namedBy(text, /[`"]([a-z]+(?:_[a-z]+)+)[`"]/g)
      .filter((name) => !members.has(name))
      .map((name) => `no member is called ${name}`),
    ...[...missing].filter((thing) => wantsOne(text, thing)).map((thing) => `there is no ${thing} yet`),
    ...namedBy(text, CHANGE)
      .filter((rest) => !/[`"]|--|[A-Z]{3}/.test(rest))
      .map((rest) => `what changes "${rest}" has no name`),
  ];
}

/** Whether `text` tells its reader to work with such a thing. */
function wantsOne(text: string, thing: string): boolean {
  return new RegExp(`\\b(?:use|open|unlock|start|create|choose|take|in) (?:a|an|the|your) (?:\\w+ ){0,2}${thing}\\b`, 'i').test(text);
}

function namedBy(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name.trim());
}

/** The command that `words` begin with; what follows it may be its argument or prose. */
function commandFault(words: string): string[] {
  const [first = '', second] = words.split(' ');
  const command = COMMANDS.find(({ name }) => name === first);
  if (!command) return [`there is no command weft ${first}`];
  const isGroup = command.commands !== undefined && command.load === undefined;
  return isGroup && second !== undefined && !command.commands.some(({ name }) => name === second)
    ? [`there is no command weft ${first} ${second}`]
    : [];
}

function optionFaults(text: string): string[] {
  return [...text.matchAll(OPTION)].flatMap(([option]) => (KNOWN_OPTIONS.has(option) ? [] : [`no command has ${option}`]));
}

const OF_CLOUD = Object.keys(CLOUD_OPTIONS).map((name) => `--${name}`);
const KNOWN_OPTIONS = new Set([...SHARED_OPTIONS, ...FOREIGN_OPTIONS, ...OF_CLOUD, ...COMMANDS.flatMap(optionsOf)]);

function optionsOf({ options = [], commands = [] }: CommandSpec): string[] {
  return [...options.flatMap(({ flags }) => flags.match(/--[a-z-]+/g) ?? []), ...commands.flatMap(optionsOf)];
}
