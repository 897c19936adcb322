// weft completion <shell>: a script made from the command tree.
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import type { CommandWords } from '../../words.ts';

type Commands = readonly CommandWords[];

export const run: CommandRun = async (context, [shell = '']) => {
  const script = SCRIPTS[shell];
  if (!script)
    throw new CommandError(`There is no completion for "${shell}"; take one of ${Object.keys(SCRIPTS).join(', ')}.`, {
      exitCode: EXIT.usage,
      code: 'bad_request',
      next: ['weft completion bash'],
    });
  context.print(script(context.commands));
};

const SCRIPTS: Readonly<Record<string, (commands: Commands) => string>> = { bash, zsh, fish, pwsh };

/** Words that may follow `path`: child commands and long options. */
function wordsOf(spec: CommandWords): string {
  const options = [...(spec.options ?? []).map(({ flags }) => /--[\w-]+/.exec(flags)?.[0] ?? ''), '--json', '--help'];
  return [...(spec.commands ?? []).map(({ name }) => name), ...options].filter(Boolean).join(' ');
}

function bash(commands: Commands): string {
  const cases = commands.map((spec) => `    ${spec.name}) words="${wordsOf(spec)}" ;;`).join('\n');
  return `_weft() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases}
    *) words="${commands.map(({ name }) => name).join(' ')} --help --version" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${commands.map(({ name }) => name).join(' ')} --help --version"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _weft weft`;
}

function zsh(commands: Commands): string {
  return `#compdef weft
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;
}

function fish(commands: Commands): string {
  const top = commands.map(
    (spec) => `complete -c weft -n __fish_use_subcommand -a ${spec.name} -d '${spec.summary.replaceAll("'", "\\'")}'`,
  );
  const below = commands.flatMap((spec) =>
    (spec.commands ?? []).map(
      (child) =>
        `complete -c weft -n '__fish_seen_subcommand_from ${spec.name}' -a ${child.name} -d '${child.summary.replaceAll("'", "\\'")}'`,
    ),
  );
  const options = commands.flatMap((spec) =>
    (spec.options ?? []).map(
      ({ flags, summary }) =>
        `complete -c weft -n '__fish_seen_subcommand_from ${spec.name}' -l ${/--([\w-]+)/.exec(flags)?.[1] ?? ''} -d '${summary.replaceAll("'", "\\'")}'`,
    ),
  );
  return [...top, ...below, ...options].join('\n');
}

function pwsh(commands: Commands): string {
  const table = commands.map((spec) => `    '${spec.name}' = '${wordsOf(spec)}'`).join('\n');
  return `Register-ArgumentCompleter -Native -CommandName weft -ScriptBlock {
  param($word, $ast, $position)
  $words = @{
${table}
  }
  $parts = $ast.CommandElements | ForEach-Object { $_.ToString() }
  $list = if ($parts.Count -gt 1 -and $words.ContainsKey($parts[1])) { $words[$parts[1]] } else { '${commands.map(({ name }) => name).join(' ')}' }
  $list -split ' ' | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}`;
}
