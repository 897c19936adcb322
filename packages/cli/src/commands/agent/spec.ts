// The agent itself.
import type { GroupSpec } from '../../spec.ts';

export const group: GroupSpec = {
  section: 'The agent',
  commands: [
    { name: 'status', summary: 'the agent at one glance', load: () => import('./status.ts') },
    { name: 'serve', summary: 'run the agent in the foreground', load: () => import('./serve.ts') },
    {
      name: 'daemon',
      summary: 'run the agent in the background',
      commands: [
        { name: 'start', summary: 'start it', load: () => import('./start.ts') },
        { name: 'stop', summary: 'stop it', load: () => import('./stop.ts') },
        { name: 'restart', summary: 'stop and start it', load: () => import('./restart.ts') },
        {
          name: 'install',
          summary: 'start it with your session',
          options: [{ flags: '--print', summary: 'only print the file that would be written' }],
          load: () => import('./install.ts'),
        },
        { name: 'uninstall', summary: 'undo install', load: () => import('./uninstall.ts') },
      ],
    },
    {
      name: 'doctor',
      summary: 'check everything that the agent needs',
      options: [{ flags: '--verify', summary: 'read all files, and name those whose bytes the disk has lost' }],
      load: () => import('./doctor.ts'),
    },
    {
      name: 'logs',
      summary: "the agent's log",
      options: [
        { flags: '-f, --follow', summary: 'go on as it grows' },
        { flags: '-n, --lines <count>', summary: 'how many lines of its end', default: '50' },
        { flags: '--level <level>', summary: 'only this level and worse', choices: ['info', 'warn', 'error'], default: 'info' },
      ],
      load: () => import('./logs.ts'),
    },
    {
      name: 'config',
      summary: 'every setting and where it comes from',
      options: [{ flags: '--all', summary: 'also the keys of config.json: meaning, unit, default and the value here' }],
      load: () => import('./config.ts'),
    },
    { name: 'paths', summary: 'where everything is kept', load: () => import('./paths.ts') },
  ],
};
