// The pages that completeness is measured on: where they come from, and which element each source publishes as its content.
import { appSources } from './apps.ts';
import type { DebianManual } from './debian.ts';
import { readManual } from './debian.ts';
import type { PageSource } from './page-source.ts';

const MANUALS: readonly (DebianManual & Pick<PageSource, 'name' | 'code'>)[] = [
  {
    name: 'Python (Sphinx)',
    debian: 'python3.11-doc',
    folder: 'doc/python3.11/html',
    content: '[role=main]',
    neutral: '.headerlink',
  },
  {
    name: 'PostgreSQL (DocBook)',
    debian: 'postgresql-doc-15',
    folder: 'doc/postgresql-doc-15/html',
    content: 'body > div:not(.navheader, .navfooter)',
  },
  {
    name: 'Debian handbook (Publican)',
    debian: 'debian-handbook',
    folder: 'doc/debian-handbook/html',
    content: 'body > div:not(#banner)',
  },
  {
    name: 'cppreference (MediaWiki)',
    debian: 'cppreference-doc-en-html',
    folder: 'cppreference/doc/html/en',
    content: '#firstHeading, #mw-content-text',
    neutral: '.t-navbar, .editsection, #toc, .noprint, #contentSub, #siteSub',
  },
  {
    name: 'Commons Math (javadoc)',
    debian: 'libcommons-math3-java-doc',
    folder: 'doc/libcommons-math3-java/api',
    content: 'body > .header, body > [class$=Container]',
    skips: /-(?:no)?frame\.html$/,
  },
  {
    name: 'dvbv5 (doxygen)',
    debian: 'libdvbv5-doc',
    folder: 'doc/libdvbv5-dev/html',
    content: '.headertitle, .contents',
    neutral: '.summary, .dynheader, .levels, .ttc, .lineno, .ingroups',
    code: '.fragment',
  },
];

/** Manuals as Debian packages them, then applications that are served. */
export const PAGE_SOURCES: readonly PageSource[] = [
  ...MANUALS.map((manual): PageSource => ({ ...manual, pages: (max) => readManual(manual, max) })),
  ...appSources(new Set(MANUALS.map(({ debian }) => debian))),
];
