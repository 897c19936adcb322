// weft daemon restart
import type { CommandRun } from '../tree.ts';
import { run as start } from './daemon-start.ts';
import { run as stop } from './daemon-stop.ts';

export const run: CommandRun = async (context, args, options) => {
  await stop({ ...context, show: () => undefined }, args, options);
  return await start(context, args, options);
};
