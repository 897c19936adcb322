// weft daemon restart
import type { CommandRun } from '../../spec.ts';
import { run as start } from './start.ts';
import { run as stop } from './stop.ts';

export const run: CommandRun = async (context, args, options) => {
  await stop({ ...context, show: () => undefined }, args, options);
  return await start(context, args, options);
};
