// Writes the list of the folders below the command line's `commands/`: a new one is found, not listed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const COMMANDS = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'commands');

/** TypeScript text of `packages/cli/src/generated/commands.ts`. */
export function commandGroups(): string {
  const folders = readdirSync(COMMANDS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ name }) => name).sort();
  return [
    '// Generated from the folders of `commands/` by `npm run generate`. Do not edit.',
    "import type { GroupSpec } from '../spec.ts';",
    ...names.map((name) => `import { group as ${name} } from '../commands/${name}/spec.ts';`),
    '',
    `export const GROUPS: readonly GroupSpec[] = [${names.join(', ')}];`,
    '',
  ].join('\n');
}
