// weft config: every setting, its value and where it comes from.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CommandError, EXIT } from '../../exit.ts';
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

const SETTINGS: readonly { readonly name: string; readonly fallback: string; readonly isSecret?: true }[] = [
  { name: 'SERVICE_HOME', fallback: '~/.weft' },
  { name: 'SERVICE_PORT', fallback: '8131' },
  { name: 'SERVICE_API_URL', fallback: 'found by runtime.json' },
  { name: 'SERVICE_TOKEN', fallback: 'found by runtime.json', isSecret: true },
  { name: 'SERVICE_CHROME', fallback: 'the first browser found' },
  { name: 'SERVICE_CONTACT', fallback: 'none' },
  { name: 'SERVICE_MODEL_KEY', fallback: 'none', isSecret: true },
  { name: 'SERVICE_CLOUD_URL', fallback: 'none' },
  { name: 'SERVICE_API_KEY', fallback: 'none', isSecret: true },
  { name: 'SERVICE_CLIENT_ID', fallback: 'made once' },
];

const SETTINGS_MAIN = fileURLToPath(new URL('../../../../daemon/src/settings-main.ts', import.meta.url));

/** A key of `config.json`, as the agent's program tells it. */
interface TunedSetting {
  readonly key: string;
  readonly meaning: string;
  readonly unit: string;
  readonly default: unknown;
  readonly value: unknown;
}

export const run: CommandRun = async (context, _args, options) => {
  const rows = SETTINGS.map(({ name, fallback, isSecret }) => {
    const value = context.environment.variables[name];
    return {
      name,
      value: value === undefined || value === '' ? fallback : isSecret ? '(set, not shown)' : value,
      origin: value ? 'environment' : 'default',
    };
  });
  const variables = table(
    ['SETTING', 'VALUE', 'FROM'],
    rows.map((row) => [row.name, row.value, row.origin]),
  );
  if (options['all'] !== true) return context.show(rows, variables);
  const file = join(context.environment.home, 'config.json');
  const tuned = await tunedSettings(file);
  context.show({ variables: rows, file, config: tuned }, `${variables}\n\n${tunedText(file, tuned)}`);
};

async function tunedSettings(file: string): Promise<readonly TunedSetting[]> {
  const child = spawn(process.execPath, [SETTINGS_MAIN, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const answer = JSON.parse(await text(child.stdout)) as readonly TunedSetting[] | { readonly error: string };
  if ('error' in answer) throw new CommandError(answer.error, { exitCode: EXIT.failed, code: 'config', next: ['weft paths'] });
  return answer;
}

/** Two lines a key, so that it fits 80 columns. */
function tunedText(file: string, tuned: readonly TunedSetting[]): string {
  const lines = tuned.map(({ key, meaning, unit, ...setting }) => {
    const [value, fallback] = [setting.value, setting.default].map((one) => JSON.stringify(one));
    const isDefault = value === fallback;
    return `${key} = ${value} (${unit}${isDefault ? '' : `; ${fallback} unless said`})\n    ${meaning}`;
  });
  return `Keys of ${file}, read when the agent starts:\n\n${lines.join('\n')}`;
}
