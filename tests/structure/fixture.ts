// Unpacks a fixture: several files in one text, so that no tool mistakes deliberately bad sources for ours.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export interface Fixture extends Disposable {
  /** The step of `npm run check` that must fail on it. */
  readonly check: string;
  /** What the step's output must contain. */
  readonly expected: readonly string[];
  /** A temporary folder with the fixture's files and the project's own configuration; disposing removes it. */
  readonly folder: string;
}

export const ROOT = resolve(import.meta.dirname, '..', '..');
const FIXTURES = join(import.meta.dirname, 'fixtures');
const CONFIGURATION = ['.oxlintrc.json', '.oxfmtrc.json', 'knip.json', 'tsconfig.json', 'package.json'];

/** The names of all fixtures, sorted. */
export function fixtureNames(): string[] {
  return readdirSync(FIXTURES).sort();
}

/**
 * Unpacks the fixture `name`: a header of `check:` and `expect:` lines, then `-- path --` before the text of each file.
 * Configuration that it does not bring itself is the project's.
 */
export function openFixture(name: string): Fixture {
  const [header = '', ...parts] = readFileSync(join(FIXTURES, name), 'utf8').split(/^-- (.+) --\n/m);
  const folder = mkdtempSync(join(tmpdir(), 'weft-fixture-'));
  for (let i = 0; i < parts.length; i += 2) write(join(folder, parts[i] ?? ''), parts[i + 1] ?? '');
  for (const file of CONFIGURATION) if (!existsSync(join(folder, file))) copyFileSync(join(ROOT, file), join(folder, file));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const values = (key: string) => [...header.matchAll(new RegExp(`^${key}: (.+)$`, 'gm'))].map((match) => match[1] ?? '');
  const remove = () => rmSync(folder, { recursive: true });
  return { check: values('check')[0] ?? '', expected: values('expect'), folder, [Symbol.dispose]: remove };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
