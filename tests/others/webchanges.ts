// webchanges of PyPI on loopback: one job for each page, run when the caller says, and which of them it tells as changed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { bringPackages, run } from '../../bench/apps/packages.ts';
import { SETTINGS } from '../../bench/src/settings.ts';

export const WEBCHANGES = '3.37.0';

/** A page, and what of it is watched: a selector of CSS, or the lines that hold a text. */
export interface WatchedPage {
  readonly name: string;
  readonly url: string;
  readonly css?: string;
  readonly lines?: string;
}

export interface WebChanges extends Disposable {
  /** Looks at all of them; the names of those that it tells as changed, and of those that it could not look at. */
  check(): Promise<{ readonly changed: ReadonlySet<string>; readonly failed: ReadonlySet<string> }>;
}

/** Installs it on first use. Throws with a sentence that says what is lacking. */
export async function openWebChanges(pages: readonly WatchedPage[]): Promise<WebChanges> {
  const home = join(SETTINGS.appsFolder, 'webchanges');
  mkdirSync(home, { recursive: true });
  await bringPackages({ pip: [`webchanges==${WEBCHANGES}`] }, SETTINGS.appsFolder, home);
  const folder = mkdtempSync(join(tmpdir(), 'weft-webchanges-'));
  const jobs = pages.map(({ name, url, css, lines }) => ({
    name,
    url,
    filters: [...(css === undefined ? [] : [{ css }, 'html2text']), ...(lines === undefined ? [] : [{ keep_lines_containing: lines }])],
  }));
  writeFileSync(join(folder, 'jobs.yaml'), jobs.map((job) => stringify(job)).join('---\n'));
  writeFileSync(join(folder, 'config.yaml'), stringify(CONFIG));
  const files = ['--jobs', join(folder, 'jobs.yaml'), '--config', join(folder, 'config.yaml'), '--database', join(folder, 'snapshots.db')];
  return {
    async check() {
      const said = await run(join(home, 'python/bin/webchanges'), files, { env: { HOME: folder, NO_COLOR: '1' } });
      const told = [...said.matchAll(/^\d+\. (CHANGED|ERROR|NEW|UNCHANGED|TEST)[^:]*: (.+?)(?: \( .*)?$/gm)];
      const namesOf = (kind: string) => new Set(told.filter(([, of]) => of === kind).map(([, , name = '']) => name.trim()));
      return { changed: namesOf('CHANGED'), failed: namesOf('ERROR') };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Its own, but that it tells on standard output alone. */
const CONFIG = {
  display: { new: false, error: true, unchanged: false, 'empty-diff': true },
  report: { stdout: { enabled: true, color: false } },
};
