// weft link: a link called `weft` in a folder of the path. It touches no file but a link of its own.
import { accessSync, constants, existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';

const LAUNCHER = fileURLToPath(new URL('../../../../../weft', import.meta.url));

export const run: CommandRun = async (context, _args, options) => {
  if (!existsSync(LAUNCHER) || process.platform === 'win32')
    throw refusal('Only a checkout on Linux or macOS is linked; an installed package has its command already.', ['weft --help']);
  const path = (context.environment.variables['PATH'] ?? '').split(delimiter).filter(Boolean);
  const folders = [join(homedir(), '.local', 'bin'), join(homedir(), 'bin'), '/usr/local/bin'];
  const to =
    typeof options['to'] === 'string' ? resolve(options['to']) : folders.find((folder) => path.includes(folder) && canWrite(folder));
  if (options['remove'] === true) return remove(context, to === undefined ? folders : [to, ...folders]);
  const folder = to ?? join(homedir(), '.local', 'bin');
  const link = join(folder, 'weft');
  place(link);
  const isOnPath = path.includes(folder);
  context.show(
    { link, target: LAUNCHER, on_path: isOnPath },
    isOnPath
      ? `The command is ${link} now; \`weft link --remove\` takes it away.`
      : `${link} is made, but ${folder} is not on your path. Add it there, and to your shell's profile:\n  export PATH="${folder}:$PATH"`,
  );
};

function remove(context: Parameters<CommandRun>[0], folders: readonly string[]): void {
  const links = [...new Set(folders)].map((folder) => join(folder, 'weft')).filter(isOurs);
  for (const link of links) unlinkSync(link);
  context.show({ removed: links }, links.length > 0 ? `Removed ${links.join(', ')}` : 'There is no link to this checkout.');
}

function place(link: string): void {
  if (isOurs(link)) return;
  if (lstatSync(link, { throwIfNoEntry: false }))
    throw refusal(`${link} is there already and does not lead to this checkout. Move it away, or choose another folder with --to.`, [
      'weft link --to <folder>',
    ]);
  try {
    mkdirSync(resolve(link, '..'), { recursive: true });
    symlinkSync(LAUNCHER, link);
  } catch (error) {
    throw refusal(`${link} can't be made (${(error as NodeJS.ErrnoException).code}). Choose a folder that you may write to with --to.`, [
      'weft link --to <folder>',
    ]);
  }
}

function isOurs(link: string): boolean {
  return lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true && readlinkSync(link) === LAUNCHER;
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function refusal(message: string, next: readonly string[]): CommandError {
  return new CommandError(message, { exitCode: EXIT.failed, code: 'link', next });
}
