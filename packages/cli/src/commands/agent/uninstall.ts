// weft daemon uninstall: undo install.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { AGENT_ARGS } from '../../agent-process.ts';
import { serviceUnit } from '../../service-unit.ts';
import type { CommandRun } from '../../spec.ts';

export const run: CommandRun = async (context) => {
  const unit = serviceUnit(process.platform, { node: process.execPath, args: AGENT_ARGS, home: context.environment.home, settings: {} });
  const isInstalled = unit !== undefined && existsSync(unit.path);
  if (isInstalled) {
    for (const [command = '', ...args] of unit.disable) spawnSync(command, args);
    rmSync(unit.path);
  }
  context.show({ removed: isInstalled }, isInstalled ? `Removed ${unit.path}.` : 'Nothing was installed.');
};
