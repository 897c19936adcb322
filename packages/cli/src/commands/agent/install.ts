// weft daemon install: start the agent with the user's session.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AGENT_ARGS, agentVariables } from '../../agent-process.ts';
import { CommandError, EXIT } from '../../exit.ts';
import { serviceUnit } from '../../service-unit.ts';
import type { CommandRun } from '../../spec.ts';

/** What the agent reads of its environment beside the home. */
const AGENT_SETTINGS = ['SERVICE_PORT', 'SERVICE_CHROME', 'SERVICE_CONTACT'];

export const run: CommandRun = async (context, _args, options) => {
  const { home, variables } = context.environment;
  const settings = Object.fromEntries(AGENT_SETTINGS.flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])));
  const unit = serviceUnit(process.platform, { node: process.execPath, args: AGENT_ARGS, home, settings: agentVariables(settings) });
  if (!unit)
    throw new CommandError(`There is no service file for ${process.platform}.`, {
      exitCode: EXIT.unexpected,
      code: 'unsupported',
      next: ['weft serve'],
    });
  if (options['print'] === true) return context.show(unit, unit.text);
  mkdirSync(dirname(unit.path), { recursive: true });
  writeFileSync(unit.path, unit.text);
  for (const [command = '', ...args] of unit.enable) runStep(command, args, unit.path);
  context.show(
    { path: unit.path, enabled: true },
    `The agent starts with your session now. Its unit: ${unit.path}${unit.isTested ? '' : ' (this platform is untested)'}`,
  );
};

function runStep(command: string, args: readonly string[], path: string): void {
  const result = spawnSync(command, args, { encoding: 'utf8' });
  if (result.status === 0) return;
  const reason = result.error?.message ?? result.stderr.trim();
  throw new CommandError(`${path} was written, but \`${[command, ...args].join(' ')}\` failed: ${reason}.`, {
    exitCode: EXIT.unexpected,
    code: 'service',
    next: ['weft serve'],
  });
}
