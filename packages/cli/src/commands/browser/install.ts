// weft browser install: unpacks the browser that comes with the packages, so that the first page need not wait for it.
import { installBrowser } from '../../browser-process.ts';
import { CommandError, EXIT } from '../../exit.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const installed = await installBrowser(context.environment.home);
  if ('error' in installed)
    throw new CommandError(installed.error.message, { exitCode: EXIT.failed, code: installed.error.code, next: ['weft browser status'] });
  context.show(installed, `Chromium ${installed.version} is ready: ${installed.path}`);
};
