// Messages on the desktop of this machine, by the program that its system has for them.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ShowOnDesktop } from '../../delivery/ports.ts';

/** What is run: a program, its arguments, and what it reads from its environment. Nothing of a message is ever read as a script. */
interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

export interface DesktopOptions {
  /** This process's own unless said. */
  readonly platform?: NodeJS.Platform;
  readonly variables?: NodeJS.ProcessEnv;
}

/** Its first argument is fixed, so that no title is taken for an option. */
const APPLESCRIPT = 'on run argv\ndisplay notification (item 3 of argv) with title (item 2 of argv)\nend run';
const POWERSHELL = [
  '[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]',
  '$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent(1)',
  "$texts = $xml.GetElementsByTagName('text')",
  '[void]$texts.Item(0).AppendChild($xml.CreateTextNode($env:WEFT_TITLE))',
  '[void]$texts.Item(1).AppendChild($xml.CreateTextNode($env:WEFT_BODY))',
  "[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('Weft').Show([Windows.UI.Notifications.ToastNotification]::new($xml))",
].join('; ');

const run = promisify(execFile);

/** Shows messages where a person sits. On a machine without a desktop each throws, and says so. */
export function createDesktop({ platform = process.platform, variables = process.env }: DesktopOptions = {}): ShowOnDesktop {
  return async (title, body, signal) => {
    const { file, args, variables: more } = commandFor(platform, title, body);
    try {
      await run(file, [...args], { signal, env: { ...variables, ...more } });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw new Error(reasonOf(file, error), { cause: error });
    }
  };
}

function commandFor(platform: NodeJS.Platform, title: string, body: string): Command {
  if (platform === 'darwin') return { file: 'osascript', args: ['-e', APPLESCRIPT, 'Weft', title, body] };
  if (platform !== 'win32') return { file: 'notify-send', args: ['--app-name=Weft', '--', title, body] };
  const variables = { WEFT_TITLE: title, WEFT_BODY: body };
  return { file: 'powershell.exe', args: ['-NoProfile', '-NonInteractive', '-Command', POWERSHELL], variables };
}

function reasonOf(file: string, error: unknown): string {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  if (isMissing)
    return `This machine has no ${file}, so no message can be shown on its desktop. Install it, or use another kind of channel.`;
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n')[0] : '';
  return `${file} could not show the message${said ? `: ${said}` : ''}. The agent may run where there is no desktop.`;
}
