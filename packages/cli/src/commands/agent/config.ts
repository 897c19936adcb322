// weft config: every setting, its value and where it comes from.
import { table } from '../../table.ts';
import type { CommandRun } from '../../spec.ts';

const SETTINGS: readonly { readonly name: string; readonly fallback: string; readonly isSecret?: true }[] = [
  { name: 'SERVICE_HOME', fallback: '~/.weft' },
  { name: 'SERVICE_PORT', fallback: '8131' },
  { name: 'SERVICE_API_URL', fallback: 'found by runtime.json' },
  { name: 'SERVICE_TOKEN', fallback: 'found by runtime.json', isSecret: true },
  { name: 'SERVICE_CHROME', fallback: 'the first browser found' },
  { name: 'SERVICE_CONTACT', fallback: 'none' },
  { name: 'SERVICE_CLOUD_URL', fallback: 'none' },
  { name: 'SERVICE_API_KEY', fallback: 'none', isSecret: true },
  { name: 'SERVICE_CLIENT_ID', fallback: 'made once' },
];

export const run: CommandRun = async (context) => {
  const rows = SETTINGS.map(({ name, fallback, isSecret }) => {
    const value = context.environment.variables[name];
    return {
      name,
      value: value === undefined || value === '' ? fallback : isSecret ? '(set, not shown)' : value,
      origin: value ? 'environment' : 'default',
    };
  });
  context.show(
    rows,
    table(
      ['SETTING', 'VALUE', 'FROM'],
      rows.map((row) => [row.name, row.value, row.origin]),
    ),
  );
};
