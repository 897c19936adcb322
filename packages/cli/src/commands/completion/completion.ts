// weft completion <shell>: a script that asks `weft completion words ...` what may follow what is typed.
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';
import type { CommandWords } from '../../words.ts';
import { optionsOf, wordsAfter } from './names.ts';

type Commands = readonly CommandWords[];

export const run: CommandRun = async (context, [shell = '', ...typed]) => {
  if (shell === 'words') return context.print((await wordsAfter(context, typed)).join('\n'));
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

/** The first word is known here; what follows is asked for. */
function bash(commands: Commands): string {
  return `_weft() {
  local word=\${COMP_WORDS[COMP_CWORD]} IFS=$'\\n'
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join('\n')}
--help
--version" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$("\${COMP_WORDS[0]}" completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "$word"))
  fi
}
complete -o default -F _weft weft ./weft`;
}

function zsh(commands: Commands): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`).join('\n');
  return `#compdef weft
_weft() {
  local -a found
  if (( CURRENT == 2 )); then
    found=(
${described}
    )
    _describe command found
  else
    found=("\${(@f)$("$words[1]" completion words -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
    compadd -a found || _files
  fi
}
compdef _weft weft ./weft`;
}

function fish(commands: Commands): string {
  const top = commands.map(({ name, summary }) => `complete -c weft -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`);
  return [
    'function __weft_words',
    '  set -l typed (commandline -opc)',
    '  set -l begun (commandline -ct)',
    '  set -l found ($typed[1] completion words -- $typed[2..-1] 2>/dev/null | string match -- "$begun*")',
    "  test (count $found) -gt 0; and printf '%s\\n' $found; or __fish_complete_path $begun",
    'end',
    'complete -c weft -f',
    ...top,
    "complete -c weft -n 'not __fish_use_subcommand' -a '(__weft_words)'",
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function pwsh(commands: Commands): string {
  const table = commands
    .map((spec) => `    '${spec.name}' = '${[...(spec.commands ?? []).map(({ name }) => name), ...optionsOf(spec)].join(' ')}'`)
    .join('\n');
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
