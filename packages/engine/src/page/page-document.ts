// One page and what a reader sees of it. Parsed once; each view is computed when it is first asked for, and kept.
import type { AnyNode, Element } from 'domhandler';
import type { Image } from '../extract/images/images.ts';
import { readImages } from '../extract/images/images.ts';
import type { Link } from '../extract/links/links.ts';
import { readLinks } from '../extract/links/links.ts';
import { footnotesOf } from '../extract/footnotes.ts';
import { furnitureOf } from '../extract/furniture.ts';
import { findHeading } from '../extract/heading.ts';
import type { MainContent } from '../extract/main-content.ts';
import { findMainContent } from '../extract/main-content.ts';
import { toMarkdown } from '../extract/markdown/markdown.ts';
import type { Metadata } from '../extract/metadata/metadata.ts';
import { readMetadata } from '../extract/metadata/metadata.ts';
import type { StructuredData } from '../extract/structured/structured.ts';
import { readStructuredData } from '../extract/structured/structured.ts';
import type { DecodedBody } from '../html/encoding/decode.ts';
import { decodeBody } from '../html/encoding/decode.ts';
import { countHiddenWords } from '../html/hidden.ts';
import { cleanHtml } from '../html/serialize.ts';
import { blockText } from '../html/text.ts';
import type { PageTree, TreeOptions } from '../html/tree.ts';
import { parseTree } from '../html/tree.ts';
import type { CapturedJson } from '../ports.ts';

/** What a document is read from: one answer, as it came. */
export interface DocumentSource {
  /** Where the page was found, after redirects. */
  readonly url: string;
  readonly body: Uint8Array;
  /** The Content-Type header. */
  readonly contentType: string | undefined;
  /** JSON that the page fetched by itself, from the browser lane. */
  readonly xhr?: readonly CapturedJson[];
}

/** The main content, or the page as a whole. */
export type Scope = 'main' | 'page';

/** One page, decoded and parsed once; each view is computed when it is first asked for. */
export class PageDocument {
  readonly source: DocumentSource;
  private readonly options: TreeOptions;
  private readonly held = new Map<string, unknown>();

  constructor(source: DocumentSource, options: TreeOptions = {}) {
    this.source = source;
    this.options = options;
  }

  /** The body as text, with the encoding that was found and how. */
  get decoded(): DecodedBody {
    return this.once('decoded', () => decodeBody(this.source.body, this.source.contentType));
  }

  /** Throws PageError `page_too_complex`. */
  get tree(): PageTree {
    return this.once('tree', () => parseTree(this.decoded.html, this.source.url, this.options));
  }

  get content(): MainContent {
    return this.once('content', () => findMainContent(this.tree));
  }

  get metadata(): Metadata {
    return this.once('metadata', () => readMetadata(this.tree, this.structured.jsonLd));
  }

  get links(): readonly Link[] {
    return this.once('links', () => readLinks(this.tree));
  }

  get images(): readonly Image[] {
    return this.once('images', () => readImages(this.tree));
  }

  get structured(): StructuredData {
    return this.once('structured', () => readStructuredData(this.tree));
  }

  /** The main content begins with the page's own heading, also where that stands outside of it. */
  markdown(scope: Scope): string {
    const { roots, excluded } = this.scoped(scope);
    const { baseUrl } = this.tree;
    return this.once(`markdown ${scope}`, () => {
      const heading = scope === 'main' ? findHeading(this.tree, this.content) : undefined;
      const title = heading?.element;
      const above =
        title && !heading.isInside ? `${toMarkdown([title], { baseUrl, excluded: furnitureOf(this.tree).nodes, title })}\n` : '';
      return above + toMarkdown(roots, { baseUrl, excluded, title, notes: footnotesOf(this.tree) });
    });
  }

  text(scope: Scope): string {
    return scope === 'main' ? this.content.text : this.once('text page', () => blockText([this.tree.body], this.scoped(scope)));
  }

  /** HTML without scripts, styles and handlers, with absolute addresses. */
  html(scope: Scope): string {
    const { roots, excluded } = this.scoped(scope);
    return this.once(`html ${scope}`, () => cleanHtml(roots, { baseUrl: this.tree.baseUrl, excluded }));
  }

  /** How many words inside the scope the page hides; text, Markdown and HTML are without them. */
  hiddenWords(scope: Scope): number {
    return this.once(`hidden words ${scope}`, () => countHiddenWords(this.tree.hidden, this.scoped(scope)));
  }

  private scoped(scope: Scope): { readonly roots: readonly Element[]; readonly excluded: ReadonlySet<AnyNode> } {
    return scope === 'main' ? this.content : { roots: [this.tree.body], excluded: furnitureOf(this.tree).nodes };
  }

  /** The one place that keeps a value: the key says which, the caller's type what. */
  protected once<Value>(key: string, read: () => Value): Value {
    if (!this.held.has(key)) this.held.set(key, read());
    return this.held.get(key) as Value;
  }
}
