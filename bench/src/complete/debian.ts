// Reads pages of documentation out of Debian packages, which are fetched once and stay unpacked for later runs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spread } from './page-source.ts';
import type { SourcePage } from './page-source.ts';

/** A package with pages, and what in them is content. */
export interface DebianManual {
  /** The package. */
  readonly debian: string;
  /** Below /usr/share. */
  readonly folder: string;
  /** Selector of the content. */
  readonly content: string;
  /** Selector of what is neither content nor counted as chrome. */
  readonly neutral?: string;
  /** Names of files that are no pages for readers. */
  readonly skips?: RegExp;
}

/** Where packages are unpacked. */
export const MANUALS_HOME = join(tmpdir(), 'weft-manuals');

/** At most `max` pages, spread over all; undefined where the package can't be had. */
export function readManual(
  { debian, folder, skips }: Pick<DebianManual, 'debian' | 'folder' | 'skips'>,
  max: number,
): readonly SourcePage[] | undefined {
  const home = join(MANUALS_HOME, debian, 'usr/share', folder);
  if (!existsSync(home) && !unpack(debian)) return undefined;
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && !skips?.test(name))
    .toSorted();
  return spread(names, max).map((name) => ({
    id: name,
    url: `https://manual.test/${name}`,
    html: readFileSync(join(home, name), 'utf8'),
  }));
}

/** False where the machine has no apt or the archive can't be reached. */
function unpack(debian: string): boolean {
  const folder = join(MANUALS_HOME, debian);
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('apt-get', ['download', debian], { cwd: folder, stdio: 'ignore' });
    const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
    if (archive) execFileSync('dpkg-deb', ['-x', archive, '.'], { cwd: folder });
    return archive !== undefined;
  } catch {
    return false;
  }
}
