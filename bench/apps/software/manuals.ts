// Manuals of Debian packages, as a plain web server hands them out.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Place } from '../app.ts';
import { NGINX, filesBelow, startNginx } from '../nginx.ts';
import { walkSite } from '../walk.ts';

interface Manual {
  readonly name: string;
  readonly software: string;
  readonly port: number;
  readonly package: string;
  /** Below the package's root. */
  readonly folder: string;
  readonly entry?: string;
  readonly inner: string;
  readonly content: string;
}

const TABLE: readonly Manual[] = [
  {
    name: 'python-manual',
    software: 'Python manual (Sphinx)',
    port: 8401,
    package: 'python3.11-doc',
    folder: 'usr/share/doc/python3.11/html',
    inner: '/library/ast.html',
    content: 'div.body',
  },
  {
    name: 'postgresql-manual',
    software: 'PostgreSQL manual (DocBook)',
    port: 8402,
    package: 'postgresql-doc-15',
    folder: 'usr/share/doc/postgresql-doc-15/html',
    inner: '/sql-select.html',
    content: 'body > div:not(.navheader):not(.navfooter)',
  },
  {
    name: 'debian-handbook',
    software: 'Debian handbook (Publican)',
    port: 8403,
    package: 'debian-handbook',
    folder: 'usr/share/doc/debian-handbook/html/en-US',
    inner: '/apt.html',
    content: 'body > div:not(#banner), body > section',
  },
  {
    name: 'cppreference',
    software: 'cppreference (MediaWiki, archived)',
    port: 8404,
    package: 'cppreference-doc-en-html',
    folder: 'usr/share/cppreference/doc/html',
    entry: '/en/index.html',
    inner: '/en/cpp/container/vector.html',
    content: '#mw-content-text',
  },
  {
    name: 'javadoc',
    software: 'Javadoc (Commons Lang)',
    port: 8405,
    package: 'libcommons-lang3-java-doc',
    folder: 'usr/share/doc/libcommons-lang3-java/api',
    inner: '/org/apache/commons/lang3/StringUtils.html',
    content: 'main',
  },
  {
    name: 'doxygen',
    software: 'Doxygen (libFLAC)',
    port: 8406,
    package: 'libflac-doc',
    folder: 'usr/share/doc/libflac-doc/api',
    inner: '/structFLAC____StreamDecoder.html',
    content: 'div.contents',
  },
];

export const MANUALS: readonly App[] = TABLE.map(manual);

function manual({ folder, ...rest }: Manual): App {
  const root = (place: Place) => join(place.unpacked(rest.package), folder);
  const start = rest.entry ?? '/index.html';
  return {
    ...rest,
    needs: { unpack: [rest.package, ...NGINX] },
    source: import.meta.filename,
    async install(place) {
      if (!existsSync(join(root(place), start))) throw new Error(`${rest.package} has no ${folder}${start}`);
    },
    start: (place, listen, programs) => startNginx(place, listen, programs, filesBelow(root(place))),
    truth: (_place, origin) => walkSite(origin, { entry: start, follows: ({ pathname }) => pathname.endsWith('.html'), pageOf }),
    // Menus that scripts write lead to pages that no link does.
    isAside: ({ pathname }) => pathname.endsWith('.html'),
    pageOf,
  };
}

/** A folder is its index. */
function pageOf({ pathname }: URL): string {
  return pathname.endsWith('/') ? `${pathname}index.html` : pathname;
}
