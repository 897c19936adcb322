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
  {
    name: 'Octave (texinfo)',
    debian: 'octave-doc',
    folder: 'doc/octave/octave.html',
    content: 'body > div:not(.header)',
    neutral: '.header',
  },
  {
    name: 'Pango (gi-docgen)',
    debian: 'libpango1.0-doc',
    folder: 'doc/libpango1.0-doc/reference/Pango',
    content: '#main',
    neutral: '.toc, .anchor, .md-anchor',
  },
  {
    name: 'Aeson (Haddock)',
    debian: 'libghc-aeson-doc',
    folder: 'doc/libghc-aeson-doc/html',
    content: '#content',
    neutral: '.selflink, .link, #table-of-contents',
    skips: /^src\//,
  },
  {
    name: 'mod_perl (pod)',
    debian: 'libapache2-mod-perl2-doc',
    folder: 'doc/libapache2-mod-perl2-doc/docs/2.0',
    content: 'body > :not(#index)',
    neutral: '#index',
  },
  {
    name: 'Asciidoctor (RDoc)',
    debian: 'asciidoctor-doc',
    folder: 'doc/asciidoctor-doc/html',
    content: 'main',
    neutral: '.method-click-advice',
  },
  {
    name: 'SQLAlchemy (Sphinx)',
    debian: 'python-sqlalchemy-doc',
    folder: 'doc/python-sqlalchemy-doc/html',
    content: '[role=main]',
    neutral: '.headerlink',
  },
  {
    name: 'Mocha (YARD)',
    debian: 'ruby-mocha-doc',
    folder: 'doc/ruby-mocha/docs',
    content: '#content',
    neutral: '.summary_toggle, .showSource, .note, .lines',
    skips: /^(?:frames|.*_list)\.html$/,
  },
  {
    name: 'Crystal',
    debian: 'crystal-doc',
    folder: 'doc/crystal/api-docs',
    content: '.main-content',
    neutral: '.anchor, .method-permalink, .superclass-hierarchy',
  },
  {
    name: 'Node.js',
    debian: 'nodejs-doc',
    folder: 'doc/nodejs/api',
    content: '#apicontent',
    neutral: 'header, #toc, .mark, .type_link, .js-flavor-selector',
  },
  {
    name: 'Git (AsciiDoc)',
    debian: 'git-doc',
    folder: 'doc/git-doc',
    content: '#header, #content',
    neutral: '#author, #email, #revnumber, #revdate, #revremark, #toc',
  },
  {
    name: 'Apache',
    debian: 'apache2-doc',
    folder: 'doc/apache2-doc/manual/en',
    content: '#page-content',
    neutral: '.toplang, .bottomlang, .top, #quickview, .permalink',
  },
  {
    name: 'Exim (xfpt)',
    debian: 'exim4-doc-html',
    folder: 'doc/exim4-doc-html/spec_html',
    content: '#chapter',
    neutral: '.previous_page, .next_page',
  },
  { name: 'Nim', debian: 'nim-doc', folder: 'doc/nim/html', content: '#content', neutral: '#toc-list, .link-seesrc, h1.title' },
];

/** Manuals that are measured and never looked at: what comes of them is what comes of manuals that nobody here has seen. */
const HELD_OUT: typeof MANUALS = [
  {
    name: 'Zsh (texinfo)',
    debian: 'zsh-doc',
    folder: 'doc/zsh-common/html',
    content: 'body > div',
    neutral: 'table.header, table.menu, .contents',
  },
  {
    name: 'libsoup (gtk-doc)',
    debian: 'libsoup2.4-doc',
    folder: 'gtk-doc/html/libsoup-2.4',
    content: 'body > div:not(.footer)',
    neutral: '.listing_lines',
  },
  {
    name: 'DocBook XSL (DocBook)',
    debian: 'docbook-xsl-doc-html',
    folder: 'doc/docbook-xsl-doc-html/doc',
    content: 'body > div:not(.navheader, .navfooter)',
  },
  {
    name: 'Debian policy (Sphinx)',
    debian: 'debian-policy',
    folder: 'doc/debian-policy/policy.html',
    content: '.bodywrapper',
    neutral: '.headerlink, .contents',
  },
  {
    name: 'SQLite',
    debian: 'sqlite3-doc',
    folder: 'doc/sqlite3',
    content: '.fancy, body > :not(.nosearch)',
    neutral: '.fancy .nosearch, #toc_sub, .toc_header, script',
  },
];

/** Manuals as Debian packages them, applications that are served, and manuals that are held out. */
export const PAGE_SOURCES: readonly PageSource[] = [
  ...MANUALS.map((manual) => sourceOf(manual, false)),
  ...appSources(new Set(MANUALS.map(({ debian }) => debian))),
  ...HELD_OUT.map((manual) => sourceOf(manual, true)),
];

function sourceOf(manual: (typeof MANUALS)[number], isHeldOut: boolean): PageSource {
  return { ...manual, isHeldOut, pages: (max) => readManual(manual, max) };
}
