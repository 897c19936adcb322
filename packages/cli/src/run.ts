// Parses the command line from the tree and runs what it names. Usage errors and failures leave by one door.
import { Command, CommanderError, Option } from 'commander';
import { asCalled } from './called.ts';
import { createContext } from './context.ts';
import type { Manner } from './context.ts';
import type { Environment } from './environment.ts';
import { EXIT, describeFailure, failureText, withNext, withoutExit } from './exit.ts';
import { COMMANDS } from './tree.ts';
import { refuseChild, refuseUnknown } from './unknown-command.ts';
import type { Failure } from './exit.ts';
import type { CommandSpec } from './spec.ts';
import type { OptionSpec } from './words.ts';
import { VERSION } from './version.ts';

/** Runs one command line; the exit code. Ends early, as done, once `unread` says that nobody reads its output any more. */
export async function runCommandLine(argv: readonly string[], environment: Environment, unread: AbortSignal): Promise<number> {
  if (argv.length === 1 && argv[0] === '--describe') {
    process.stdout.write(`${JSON.stringify({ name: 'weft', version: VERSION, commands: COMMANDS.map(describe) }, null, 2)}\n`);
    return EXIT.done;
  }
  const isJson = argv.includes('--json');
  const interrupted = new AbortController();
  const onInterrupt = () => interrupted.abort(new DOMException('Interrupted.', 'AbortError'));
  process.once('SIGINT', onInterrupt);
  // `timeout`, service managers and job runners end a command so; what it began is ended or named as after Ctrl-C.
  process.once('SIGTERM', onInterrupt);
  const signal = AbortSignal.any([interrupted.signal, unread]);
  const outcome: Outcome = { code: EXIT.done, path: 'weft' };
  try {
    refuseUnknown(COMMANDS, argv[0]);
    await buildProgram(environment, signal, outcome).parseAsync(argv.length > 0 ? [...argv] : ['--help'], { from: 'user' });
    return outcome.code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (unread.aborted || isClosedPipe(error)) return EXIT.done;
    const failure = asTyped(withNext(describeFailure(error), outcome.path, argv.includes('--cloud')), environment.called);
    if (isJson) process.stdout.write(`${JSON.stringify(withoutExit(failure), null, 2)}\n`);
    else process.stderr.write(`${painted(failureText(failure), environment.hasColour)}\n`);
    return failure.exitCode;
  } finally {
    process.removeListener('SIGINT', onInterrupt);
    process.removeListener('SIGTERM', onInterrupt);
  }
}

/** How a command line ended, and which command it was. */
interface Outcome {
  code: number;
  path: string;
}

function buildProgram(environment: Environment, signal: AbortSignal, outcome: Outcome): Command {
  const shown = (text: string) => asCalled(text, environment.called, NAMES);
  const program = new Command(environment.called)
    .description('Extracts and monitors web data.')
    .version(VERSION, '-V, --version')
    .option('--describe', 'print the command tree as JSON')
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => process.stdout.write(shown(text)),
      writeErr: (text) => process.stderr.write(shown(text)),
    })
    .showHelpAfterError('Try: weft --help')
    .showSuggestionAfterError(true)
    .exitOverride();
  const add = (parent: Command, spec: CommandSpec, path: string): Command => {
    const command = parent
      .command([spec.name, ...(spec.args ?? [])].join(' '))
      .description(spec.summary)
      .showHelpAfterError(`${spec.examples?.[0] === undefined ? '' : `Such as: ${spec.examples[0]}\n`}Try: ${path} --help`)
      .exitOverride();
    if (spec.examples) command.addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  ${line}`).join('\n')}`);
    // A group takes no options: commander would give it those of its commands.
    if (spec.load) for (const { flags, summary } of sharedOf(spec)) command.option(flags, summary);
    // A command that is also a group leaves what stands behind a child's name to the child.
    command.enablePositionalOptions();
    for (const { flags, summary, choices, repeats, default: fallback } of spec.options ?? []) {
      const option = new Option(flags, summary);
      if (repeats) option.argParser((value, before?: string) => (before === undefined ? value : `${before}\n${value}`));
      if (choices) option.choices([...choices]);
      if (fallback !== undefined) option.default(fallback);
      command.addOption(option);
    }
    for (const child of spec.commands ?? []) add(command, child, `${path} ${child.name}`);
    const { load } = spec;
    if (!load) return command;
    // What follows a group that is a command as well is rather a slip of a child's name than an argument too many.
    if (spec.commands && !spec.args) command.allowExcessArguments(true);
    command.action(async (...received: unknown[]) => {
      if (spec.commands && !spec.args) refuseChild(spec.commands, path, command.args[0]);
      const options = command.opts<Record<string, string | boolean | undefined>>();
      const args = received
        .slice(0, spec.args?.length ?? 0)
        .flat()
        .filter((value): value is string => typeof value === 'string');
      outcome.path = path;
      const { run } = await load();
      outcome.code = (await run(createContext(environment, COMMANDS, mannerOf(spec, options), signal), args, options)) ?? EXIT.done;
    });
    return command;
  };
  for (const spec of COMMANDS) add(program, spec, `weft ${spec.name}`).helpGroup(`${spec.section}:`);
  return program;
}

/** The first word of a failure in red, for eyes that look for it. */
function painted(text: string, hasColour: boolean): string {
  return hasColour ? text.replace(/^weft:/, '\u001B[31mweft:\u001B[0m') : text;
}

const NAMES = COMMANDS.map(({ name }) => name);

function asTyped(failure: Failure, called: string): Failure {
  const shown = (text: string) => asCalled(text, called, NAMES);
  return { ...failure, error: shown(failure.error), next: failure.next.map(shown) };
}

/** What every command takes; one that has an option of that name has its own. */
const SHARED: readonly OptionSpec[] = [
  { flags: '--json', summary: 'one JSON document on standard output' },
  { flags: '--quiet', summary: 'say nothing but what failed' },
  { flags: '--verbose', summary: 'also say which calls are made, and what they come to' },
];

function sharedOf({ options = [] }: CommandSpec): readonly OptionSpec[] {
  return SHARED.filter(({ flags }) => !options.some((own) => new RegExp(`${flags}\\b`).test(own.flags)));
}

function mannerOf(spec: CommandSpec, options: Readonly<Record<string, string | boolean | undefined>>): Manner {
  const isSaid = (name: string) => options[name] === true && sharedOf(spec).some(({ flags }) => flags === `--${name}`);
  return { isJson: isSaid('json'), isQuiet: isSaid('quiet'), isVerbose: isSaid('verbose') };
}

function describe(spec: CommandSpec): unknown {
  return {
    name: spec.name,
    summary: spec.summary,
    ...(spec.args ? { args: spec.args } : {}),
    ...(spec.examples ? { examples: spec.examples } : {}),
    options: [...(spec.options ?? []), ...sharedOf(spec)],
    ...(spec.commands ? { commands: spec.commands.map(describe) } : {}),
  };
}

/** The write that failed may be known before standard output says so. */
function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
