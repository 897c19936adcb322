// weft paths: where everything is kept.
import { join } from 'node:path';
import { pairs } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const { home } = context.environment;
  const paths = {
    home,
    config: join(home, 'config.json'),
    token: join(home, 'token'),
    runtime: join(home, 'runtime.json'),
    database: join(home, 'weft.db'),
    certificate: join(home, 'tls', 'ca.pem'),
    log: join(home, 'logs', 'agent.log'),
    blobs: join(home, 'blobs'),
    backups: join(home, 'backups'),
    cache: join(home, 'cache'),
    browser: join(home, 'browser'),
  };
  context.show(paths, pairs(Object.entries(paths)));
};
