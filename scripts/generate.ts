// Writes the files that are derived from others; with --check it only says which of them are out of date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One file that is written by a program. Its text depends on the repository alone: no time, no machine. */
export interface Generator {
  /** Relative to the root. */
  readonly output: string;
  /** The whole text of the file. Imports what it needs itself, so that listing generators costs nothing. */
  build(): Promise<string>;
}

const GENERATORS: readonly Generator[] = [
  // What others are made of comes first.
  {
    output: 'packages/contract/src/generated/groups.ts',
    build: async () => (await import('./generators/contract-groups.ts')).contractGroups(),
  },
  { output: 'packages/client/src/generated/routes.ts', build: async () => (await import('./generators/client-routes.ts')).clientRoutes() },
  {
    output: 'packages/daemon/src/generated/groups.ts',
    build: async () => (await import('./generators/program-groups.ts')).programGroups('daemon'),
  },
  {
    output: 'packages/cloud/src/generated/groups.ts',
    build: async () => (await import('./generators/program-groups.ts')).programGroups('cloud'),
  },
  {
    output: 'packages/daemon/src/generated/migrations.ts',
    build: async () => (await import('./generators/program-groups.ts')).groupMigrations(),
  },
  { output: 'packages/cli/src/generated/commands.ts', build: async () => (await import('./generators/command-groups.ts')).commandGroups() },
  { output: 'docs/operations.md', build: async () => (await import('./generators/operations-doc.ts')).operationsDoc() },
];

/** The outputs below `root` that differ from what their generator builds, in table order; unless `checkOnly`, they are written. */
export async function generate(root: string, generators: readonly Generator[], checkOnly: boolean): Promise<string[]> {
  const stale: string[] = [];
  for (const generator of generators) {
    const path = join(root, generator.output);
    const text = await generator.build();
    if (readIfPresent(path) === text) continue;
    stale.push(generator.output);
    if (checkOnly) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return stale;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const checkOnly = process.argv.includes('--check');
  const stale = await generate(process.cwd(), GENERATORS, checkOnly);
  for (const output of stale) console.log(checkOnly ? `${output} is out of date: npm run generate` : `${output} written`);
  console.log(`${GENERATORS.length} generated files, ${stale.length} ${checkOnly ? 'out of date' : 'written'}`);
  if (checkOnly && stale.length > 0) process.exitCode = 1;
}
