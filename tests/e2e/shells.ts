// What shells offer at the end of a line that is typed, by the completion scripts that `weft completion` prints.
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHILD_ENV } from '../child-env.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const TIMEOUT_MS = 120_000;

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Whether this machine has the shell. */
export function hasShell(shell: Shell): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0;
}

export interface Completion extends Disposable {
  /** What is offered for each line, whose last word is being typed. */
  offered(lines: readonly string[]): Promise<readonly (readonly string[])[]>;
}

/** `shell` with the script of its own, where `weft` is a command that finds what `env` says. */
export async function startCompletion(shell: Shell, env: Readonly<Record<string, string>>): Promise<Completion> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-shell-'));
  const command = join(folder, 'weft');
  writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${WEFT} "$@"\n`);
  chmodSync(command, 0o700);
  const surroundings = { ...CHILD_ENV, ...env, PATH: `${folder}:${CHILD_ENV.PATH ?? ''}`, TERM: 'dumb' };
  const run = async (program: string, args: readonly string[]) =>
    (await promisify(execFile)(program, args, { cwd: folder, env: surroundings, timeout: TIMEOUT_MS })).stdout;
  writeFileSync(join(folder, 'script'), await run(command, ['completion', shell]));
  return {
    async offered(lines) {
      const [program, text] = PROGRAMS[shell](lines);
      writeFileSync(join(folder, 'program'), text);
      const printed = await run(shell, [...program, join(folder, 'program')]);
      const answers = printed.replaceAll('\r', '').split(/^LINE$/m);
      return answers.slice(1).map((answer) => [...answer.matchAll(/HIT ([^\t\n]+)/g)].map(([, word = '']) => word));
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type Program = (lines: readonly string[]) => readonly [options: readonly string[], text: string];

/** For each line, LINE and then HIT with each word that is offered. */
const PROGRAMS: Readonly<Record<Shell, Program>> = { bash, zsh, fish };

/** As Readline calls it: the function with the words, of which the last is being typed. */
function bash(lines: readonly string[]): ReturnType<Program> {
  const asked = lines.map((line) => {
    const words = line.split(' ');
    return `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1} COMPREPLY=(); _weft; echo LINE; printf 'HIT %s\\n' "\${COMPREPLY[@]}"`;
  });
  return [['--noprofile', '--norc'], ['source ./script', ...asked].join('\n')];
}

function fish(lines: readonly string[]): ReturnType<Program> {
  const asked = lines.map((line) => `echo LINE; complete -C '${line}' | string replace -r '^' 'HIT '`);
  return [['--no-config'], ['source ./script', ...asked].join('\n')];
}

/** Typed into a terminal of its own, with Tab at its end; what zsh adds to the list is told before it is added. */
function zsh(lines: readonly string[]): ReturnType<Program> {
  const asked = lines.map(
    (line) => `zpty -w -n shell $'\\x15${line}\\t'; zpty -r -m shell answer '*DONE*'; print -r -- LINE; print -r -- "$answer"`,
  );
  return [
    ['-f'],
    String.raw`
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1= PROMPT_EOL_MARK=; autoload -Uz compinit; compinit -u -D; source ./script'
zpty -w shell 'compadd () { local -a hits; builtin compadd -A hits "$@"; (( $#hits )) && print -rl -- "HIT "$^hits; builtin compadd "$@" }'
zpty -w shell 'told () { zle complete-word; print -r -- D""ONE }; zle -N told; bindkey "^I" told; bindkey "^U" kill-whole-line; print REA""DY'
zpty -r -m shell answer '*READY*'
${asked.join('\n')}
zpty -d shell`,
  ];
}
