// Manuals of other generators than the public sets have, as pages to learn from: their own markup says what their content is.
import { selectAll } from 'css-select';
import type { AnyNode } from 'domhandler';
import type { ContentBlock } from '../../../packages/engine/src/extract/content/outline.ts';
import type { PageTree } from '../../../packages/engine/src/html/tree.ts';
import type { DebianManual } from '../../src/complete/debian.ts';
import { readManual } from '../../src/complete/debian.ts';

/** One page of a manual. */
export interface ManualPage {
  readonly set: 'pages';
  readonly url: string;
  readonly type: string;
  readonly truth: string;
  bytes(): Uint8Array;
  /** Tells for the blocks of the page's tree how much of each is content: all, nothing, or NaN where the markup does not say. */
  isContent(tree: PageTree): (block: ContentBlock) => number;
}

interface TaughtManual extends DebianManual {
  /** Selector of what inside of the content is none. */
  readonly chrome?: string;
}

/** None of the packages that `npm run bench -- complete` measures. */
const MANUALS: readonly TaughtManual[] = [
  { debian: 'nodejs-doc', folder: 'doc/nodejs/api', content: '#apicontent' },
  {
    debian: 'apache2-doc',
    folder: 'doc/apache2-doc/manual/en',
    content: '#page-content, #preamble, #directive-list',
    neutral: '#quickview, .toplang',
  },
  { debian: 'libglib2.0-doc', folder: 'gtk-doc/html', content: 'body > div:not(.footer)' },
  { debian: 'git-doc', folder: 'doc/git-doc', content: '#header, #content' },
  { debian: 'mkdocs-doc', folder: 'doc/mkdocs/html', content: '[role=main]' },
  { debian: 'python-django-doc', folder: 'doc/python-django-doc/html', content: '#yui-main', neutral: '.headerlink' },
  { debian: 'libjsoup-java-doc', folder: 'doc/libjsoup-java/api', content: 'main' },
  {
    debian: 'libcommons-httpclient-java-doc',
    folder: 'doc/libcommons-httpclient-java/docs/apidocs',
    content: 'body',
    chrome: 'table:has(.NavBarCell1, .NavBarCell2, .NavBarCell3), table:has(.NavBarCell1) ~ noscript',
    skips: /frame\.html$|allclasses/,
  },
  { debian: 'libjdom1-java-doc', folder: 'doc/libjdom1-java/api', content: 'main' },
  { debian: 'libtrove3-java-doc', folder: 'doc/libtrove3-java/api', content: 'main', skips: /-(?:no)?frame\.html$/ },
  {
    debian: 'libnftnl-dev-doc',
    folder: 'doc/libnftnl-dev/html',
    content: '.headertitle, .contents',
    neutral: '.summary, .dynheader, .levels, .ttc, .ingroups',
  },
  {
    debian: 'liblog4cplus-doc',
    folder: 'doc/liblog4cplus-dev/html',
    content: '.headertitle, .contents',
    neutral: '.summary, .dynheader, .levels, .ttc, .ingroups',
  },
  { debian: 'debian-reference-en', folder: 'debian-reference', content: 'body > div:not(.navheader, .navfooter)' },
  { debian: 'exim4-doc-html', folder: 'doc/exim4-doc-html/spec_html', content: '#content > :not(a)' },
  { debian: 'qtbase5-doc-html', folder: 'qt5/doc', content: '.content', neutral: '.sidebar' },
  { debian: 'erlang-doc', folder: 'doc/erlang-doc', content: '#content', neutral: '.title-name' },
  { debian: 'ghc-doc', folder: 'doc/ghc-doc/html/users_guide', content: '[role=main]', neutral: '.headerlink' },
];

/** Of each manual; more would drown the public pages, which are of all types. */
const PAGES_EACH = 18;

/** Up to `pagesEach` pages of all manuals that can be had here, the same ones every time. */
export function readManuals(pagesEach = PAGES_EACH): readonly ManualPage[] {
  return MANUALS.flatMap((manual) =>
    (readManual(manual, pagesEach) ?? []).map((page) => ({
      set: 'pages' as const,
      url: `https://${manual.debian}.invalid/${page.id}`,
      type: 'documentation',
      truth: '',
      bytes: () => new TextEncoder().encode(page.html),
      isContent: (tree: PageTree) => {
        const content = new Set<AnyNode>(selectAll(manual.content, tree.root.children));
        const chrome = new Set<AnyNode>(manual.chrome ? selectAll(manual.chrome, tree.root.children) : []);
        const neutral = new Set<AnyNode>(manual.neutral ? selectAll(manual.neutral, tree.root.children) : []);
        return ({ opening }: ContentBlock) =>
          isBelowAny(opening, neutral) ? Number.NaN : isBelowAny(opening, content) && !isBelowAny(opening, chrome) ? 1 : 0;
      },
    })),
  );
}

function isBelowAny(start: AnyNode, elements: ReadonlySet<AnyNode>): boolean {
  for (let node: AnyNode | null = start; node; node = node.parent) if (elements.has(node)) return true;
  return false;
}
