// Sites that a generator writes as files: built for the origin that they are served at, then handed out by nginx.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Listen, Page, Place } from './app.ts';

/** Runs `build` unless the site was last built for this origin: generators write absolute addresses into sitemaps and canonicals. */
export async function buildFor(place: Place, listen: Listen, build: () => Promise<unknown>): Promise<void> {
  const stamp = join(place.folder, '.built-for');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === listen.origin) return;
  await build();
  writeFileSync(stamp, listen.origin);
}

/** The pages among a folder's files: HTML that is neither the page for errors nor one that only leads on. An index is its folder. */
export function builtPages(root: string): Page[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html') && entry.name !== '404.html')
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/http-equiv="?refresh/i.test(readFileSync(file, 'utf8').slice(0, 2000)))
    .map((file) => ({ path: folderOf(file.slice(root.length)) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The page that an address of such a site shows: `/a/index.html` is `/a/`. */
export function builtPageOf({ pathname }: URL): string {
  return folderOf(pathname);
}

function folderOf(path: string): string {
  return path.replace(/\/index\.html$/, '/');
}
