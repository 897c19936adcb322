// The pages that completeness is measured on: where they come from, and which element each source publishes as its content.
import type { DebianManual, SourcePage } from './debian.ts';
import { readManual } from './debian.ts';

/** Pages with a container that their makers publish as the content. */
export interface PageSource {
  readonly name: string;
  /** Selector of the content; a page on which nothing matches is left out. */
  readonly content: string;
  /** Selector of what is neither content nor counted as chrome: permalinks, edit links, boxes of contents, line numbers. */
  readonly neutral?: string;
  /** Selector of code blocks beside `pre`. */
  readonly code?: string;
  /** At most `max` pages, spread over all; undefined where they can't be had here. */
  pages(max: number): Promise<readonly SourcePage[] | undefined> | readonly SourcePage[] | undefined;
}

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

/** Manuals as Debian packages them; an application that is being served is one more row of `pages`. */
export const PAGE_SOURCES: readonly PageSource[] = MANUALS.map((manual) => ({ ...manual, pages: (max) => readManual(manual, max) }));
