// The files that start the agent with a user's session: systemd, launchd, Windows. Text only; nothing is written here.
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface ServiceUnit {
  readonly path: string;
  readonly text: string;
  /** Run after the file is written. */
  readonly enable: readonly (readonly string[])[];
  /** Run before the file is removed. */
  readonly disable: readonly (readonly string[])[];
  /** False where nobody has tried it yet. */
  readonly isTested: boolean;
}

export interface ServiceProgram {
  readonly node: string;
  /** Behind it: Node's options and the agent's program. */
  readonly args: readonly string[];
  readonly home: string;
  /** The agent's settings that are set here; a session that starts it would not have them. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The unit of a platform; undefined where there is none. */
export function serviceUnit(platform: NodeJS.Platform, program: ServiceProgram): ServiceUnit | undefined {
  if (platform === 'linux') return systemdUnit(program);
  if (platform === 'darwin') return launchdAgent(program);
  return platform === 'win32' ? windowsTask(program) : undefined;
}

function systemdUnit(program: ServiceProgram): ServiceUnit {
  const text = `[Unit]
Description=Weft agent
After=network-online.target

[Service]
Type=simple
ExecStart=${[program.node, ...program.args].map(quoted).join(' ')}
${variablesOf(program)
  .map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`)
  .join('\n')}
Restart=on-failure
RestartSec=5
TimeoutStopSec=15
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes

[Install]
WantedBy=default.target
`;
  return {
    path: join(homedir(), '.config', 'systemd', 'user', 'weft.service'),
    text,
    enable: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', 'weft.service'],
    ],
    disable: [['systemctl', '--user', 'disable', '--now', 'weft.service']],
    isTested: true,
  };
}

/** systemd's quoting: percent signs are its own variables. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}

function launchdAgent(program: ServiceProgram): ServiceUnit {
  const path = join(homedir(), 'Library', 'LaunchAgents', 'weft.agent.plist');
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>weft.agent</string>
  <key>ProgramArguments</key><array>${[program.node, ...program.args].map((arg) => `<string>${escapeXml(arg)}</string>`).join('')}</array>
  <key>EnvironmentVariables</key><dict>${variablesOf(program)
    .map(([name, value]) => `<key>${name}</key><string>${escapeXml(value)}</string>`)
    .join('')}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
</dict>
</plist>
`;
  return { path, text, enable: [['launchctl', 'load', '-w', path]], disable: [['launchctl', 'unload', '-w', path]], isTested: false };
}

function windowsTask(program: ServiceProgram): ServiceUnit {
  const path = join(program.home, 'weft-agent.cmd');
  const lines = variablesOf(program).map(([name, value]) => `set "${name}=${value.replaceAll('%', '%%')}"`);
  const command = [program.node, ...program.args].map((arg) => `"${arg}"`).join(' ');
  const text = ['@echo off', ...lines, command, ''].join('\r\n');
  return {
    path,
    text,
    enable: [['schtasks', '/Create', '/F', '/SC', 'ONLOGON', '/TN', 'Weft agent', '/TR', `"${path}"`]],
    disable: [['schtasks', '/Delete', '/F', '/TN', 'Weft agent']],
    isTested: false,
  };
}

function variablesOf({ home, settings }: ServiceProgram): readonly (readonly [name: string, value: string])[] {
  return [['SERVICE_HOME', home], ...Object.entries(settings)];
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
