// Writes the lists of what the folders of a program have: a new one is found, not listed.
import { globSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '..', '..', 'packages');

/** The programs that are made of groups. */
type Program = 'daemon' | 'cloud';

/** TypeScript text of `packages/<program>/src/generated/groups.ts`. */
export function programGroups(program: Program): string {
  const names = foldersWith(program, 'group.ts');
  return [
    '// Generated from the folders that have a `group.ts` by `npm run generate`. Do not edit.',
    ...names.map(([folder, name]) => `import { group as ${name} } from '../${folder}/group.ts';`),
    "import type { Group } from '../group.ts';",
    '',
    `export const GROUPS: readonly Group[] = [${names.map(([, name]) => name).join(', ')}];`,
    '',
  ].join('\n');
}

/** TypeScript text of `packages/daemon/src/generated/migrations.ts`. */
export function groupMigrations(): string {
  const names = foldersWith('daemon', 'migrations.ts');
  return [
    '// Generated from the folders that have a `migrations.ts` by `npm run generate`. Do not edit.',
    ...names.map(([folder, name]) => `import { migrations as ${name} } from '../${folder}/migrations.ts';`),
    ...(names.length > 0 ? [''] : []),
    `export const GROUP_MIGRATIONS: readonly Readonly<Record<number, string>>[] = [${names.map(([, name]) => name).join(', ')}];`,
    '',
  ].join('\n');
}

/** Each folder of `program` that has `file`, and its name in code. */
function foldersWith(program: Program, file: string): readonly (readonly [folder: string, name: string])[] {
  const folders = globSync(`*/${file}`, { cwd: join(PACKAGES, program, 'src') }).map((path) => path.split(/[\\/]/)[0] ?? '');
  const own = folders.filter((folder) => folder !== 'db' && folder !== 'generated');
  return own.sort().map((folder) => [folder, folder.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] as const);
}
