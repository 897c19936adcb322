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
  readonly port: string | undefined;
}

/** The unit of a platform; undefined where there is none. */
export function serviceUnit(platform: NodeJS.Platform, program: ServiceProgram): ServiceUnit | undefined {
  if (platform === 'linux') return systemdUnit(program);
  if (platform === 'darwin') return launchdAgent(program);
  return platform === 'win32' ? windowsTask(program) : undefined;
}

function systemdUnit(program: ServiceProgram): ServiceUnit {
  const variables = [`SERVICE_HOME=${program.home}`, ...(program.port ? [`SERVICE_PORT=${program.port}`] : [])];
  const text = `[Unit]
Description=Weft agent
After=network-online.target

[Service]
Type=simple
ExecStart=${[program.node, ...program.args].map(quoted).join(' ')}
${variables.map((variable) => `Environment=${quoted(variable)}`).join('\n')}
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
  const variables = [['SERVICE_HOME', program.home], ...(program.port ? [['SERVICE_PORT', program.port]] : [])];
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>weft.agent</string>
  <key>ProgramArguments</key><array>${[program.node, ...program.args].map((arg) => `<string>${escapeXml(arg)}</string>`).join('')}</array>
  <key>EnvironmentVariables</key><dict>${variables.map(([name = '', value = '']) => `<key>${name}</key><string>${escapeXml(value)}</string>`).join('')}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
</dict>
</plist>
`;
  return { path, text, enable: [['launchctl', 'load', '-w', path]], disable: [['launchctl', 'unload', '-w', path]], isTested: false };
}

function windowsTask(program: ServiceProgram): ServiceUnit {
  const path = join(program.home, 'weft-agent.cmd');
  const text = `@echo off\r\nset SERVICE_HOME=${program.home}\r\n${program.port ? `set SERVICE_PORT=${program.port}\r\n` : ''}${[program.node, ...program.args].map((arg) => `"${arg}"`).join(' ')}\r\n`;
  return {
    path,
    text,
    enable: [['schtasks', '/Create', '/F', '/SC', 'ONLOGON', '/TN', 'Weft agent', '/TR', `"${path}"`]],
    disable: [['schtasks', '/Delete', '/F', '/TN', 'Weft agent']],
    isTested: false,
  };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
