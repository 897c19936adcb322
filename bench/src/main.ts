// Measures: `npm run bench` runs every quick suite of bench/src/suites, `npm run bench -- <name ...>` the ones named; --full takes all data.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BenchSuite, formatRows } from './row.ts';

/**
 * Runs the suites of `folder` that `args` name, none meaning all that are not slow, one after another, and says their tables through `log`.
 * Answers the exit code: 0, or 2 where a name is unknown (then nothing runs and the names that exist are listed).
 */
export async function runSuites(folder: string, args: readonly string[], log: (line: string) => void): Promise<number> {
  const full = args.includes('--full');
  const names = args.filter((arg) => arg !== '--full');
  const all = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
  if (names.some((name) => !all.includes(name))) {
    log(`npm run bench -- [name ...], where a name is one of: ${all.join(', ') || '(none)'}`);
    return 2;
  }
  for (const name of names.length > 0 ? names : all) {
    const suite: BenchSuite = await import(pathToFileURL(join(folder, `${name}.ts`)).href);
    if (suite.isSlow && names.length === 0) log(`${name}: takes minutes, npm run bench -- ${name}\n`);
    else log(`${name}\n${formatRows(await suite.bench({ full, say: log }))}\n`);
  }
  return 0;
}

if (import.meta.main) {
  process.exitCode = await runSuites(join(import.meta.dirname, 'suites'), process.argv.slice(2), (line) => console.log(line));
}
