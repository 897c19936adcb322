// The truth about a folder of pages, found without any of our own code: which of them links lead to.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'cheerio';

const BASE = 'http://walk.test';

/** Paths of the HTML files below `folder` that links lead to from `start`, in order of discovery. */
export function walkLinks(folder: string, start: string): readonly string[] {
  const found = new Set([start]);
  for (const path of found) for (const target of targetsOf(folder, path)) found.add(target);
  return [...found];
}

function targetsOf(folder: string, path: string): readonly string[] {
  const page = load(readFileSync(join(folder, decodeURIComponent(path))));
  const base = new URL(page('base[href]').attr('href') ?? '', BASE + path);
  return page('a[href], area[href]')
    .toArray()
    .map((element) => URL.parse(page(element).attr('href') ?? '', base.href))
    .filter((url) => url !== null)
    .filter(({ origin, pathname }) => origin === BASE && pathname.endsWith('.html') && isFile(join(folder, decodeURIComponent(pathname))))
    .map(({ pathname }) => pathname);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
