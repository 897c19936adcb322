// Folders of files as Apache and nginx list them: the tree of a Debian package, with nested folders and files of several types.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startApache } from '../apache.ts';
import type { App, Page, Place } from '../app.ts';
import { NGINX, startNginx } from '../nginx.ts';

const PACKAGE = 'debian-faq';
const rootOf = (place: Place) => join(place.unpacked(PACKAGE), 'usr/share');

export const APACHE_LISTING: App = {
  name: 'apache-listing',
  software: 'Apache mod_autoindex',
  port: 8411,
  needs: { apt: ['apache2-bin'], unpack: [PACKAGE] },
  package: 'apache2-bin',
  source: import.meta.filename,
  inner: '/doc/',
  // The HTML files in it publish none that they share.
  content: 'table:has(a[href^="?C="])',
  install: () => Promise.resolve(),
  start: (place, listen, programs) =>
    startApache(place, listen, programs, {
      modules: ['autoindex', 'alias'],
      server: `
DocumentRoot "${rootOf(place)}"
DirectoryIndex disabled
IndexOptions FancyIndexing HTMLTable VersionSort NameWidth=* DescriptionWidth=*
<Directory "${rootOf(place)}">
  Options +Indexes
  Require all granted
</Directory>`,
    }),
  truth: async (place) => foldersBelow(rootOf(place), '/'),
  // ?C=N;O=D sorts what is there.
  pageOf: ({ pathname }) => pathname,
  isAside: isText,
};

export const NGINX_LISTING: App = {
  name: 'nginx-listing',
  software: 'nginx autoindex',
  port: 8412,
  needs: { unpack: [...NGINX, PACKAGE] },
  package: 'nginx',
  source: import.meta.filename,
  inner: '/doc/',
  content: 'pre:has(a[href="../"])',
  install: () => Promise.resolve(),
  start: (place, listen, programs) => startNginx(place, listen, programs, `root "${rootOf(place)}"; index no-index; autoindex on;`),
  truth: async (place) => foldersBelow(rootOf(place), '/'),
  isAside: isText,
};

/** The listings, and the files in them that are pages. */
function foldersBelow(folder: string, path: string): Page[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'));
  const inside = entries.flatMap((entry) => {
    if (entry.isDirectory()) return foldersBelow(join(folder, entry.name), `${path}${entry.name}/`);
    return entry.name.endsWith('.html') ? [{ path: path + entry.name }] : [];
  });
  return [{ path }, ...inside];
}

/** Texts without markup can be read: the licence of a package, and how it is registered. */
function isText({ pathname }: URL): boolean {
  return /\/(copyright|[\w-]+\.debian-faq)$/.test(pathname);
}
