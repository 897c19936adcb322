// weft cloud start: a cloud in the foreground.
import { runCloud } from '../../cloud-process.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context, args) => await runCloud(context.environment, args);
