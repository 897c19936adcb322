// Writes the list of the folders below the contract's `groups/`: a new one is found, not listed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const GROUPS = join(import.meta.dirname, '..', '..', 'packages', 'contract', 'src', 'groups');
/** Rows reach the outside through the tables alone. */
const INSIDE = new Set(['group.ts', 'rows.ts', 'extra-rows.ts']);

/** TypeScript text of `packages/contract/src/generated/groups.ts`. */
export function contractGroups(): string {
  const folders = readdirSync(GROUPS).sort();
  const nouns = folders.flatMap((folder) =>
    readdirSync(join(GROUPS, folder))
      .filter((file) => file.endsWith('.ts') && !INSIDE.has(file))
      .map((file) => `export * from '../groups/${folder}/${file}';`),
  );
  const nameOf = (folder: string) => folder.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [
    '// Generated from the folders of `groups/` by `npm run generate`. Do not edit.',
    ...folders.map((folder) => `import { group as ${nameOf(folder)} } from '../groups/${folder}/group.ts';`),
    '',
    ...nouns,
    '',
    '/** What each folder adds, in order of their names. */',
    `export const GROUPS = [${folders.map(nameOf).join(', ')}] as const;`,
    '',
  ].join('\n');
}
