// Reads from a page's own markup what its content holds, piece by piece. Uses nothing of the engine: it is the judge of it.
import { load } from 'cheerio';
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import type { PageSource, SourcePage } from './page-source.ts';

/** What must not be lost. */
export const UNIT_KINDS = ['signature', 'code block', 'table row', 'list item', 'heading', 'caption'] as const;
export type UnitKind = (typeof UNIT_KINDS)[number];

/** One of them: a row, an item, a block. */
export interface Unit {
  readonly kind: UnitKind;
}

/** A run of text that nothing but inline markup interrupts, as letters and digits in lower case. */
export interface Piece {
  readonly text: string;
  readonly words: number;
  /** The innermost unit round it; undefined in plain text. */
  readonly unit: Unit | undefined;
}

/** A page's pieces inside and outside of its content, in document order. */
export interface PageTruth {
  readonly inside: readonly Piece[];
  readonly outside: readonly Piece[];
}

/** The truth of a page; undefined where it has no content element. */
export function readTruth(page: SourcePage, source: PageSource): PageTruth | undefined {
  const $ = load(page.html);
  const content = new Set<AnyNode>($(source.content).get());
  const body = $('body').get(0);
  if (content.size === 0 || !body) return undefined;
  const walk = new TruthWalk(
    content,
    new Set<AnyNode>(source.neutral ? $(source.neutral).get() : []),
    new Set<AnyNode>(source.code ? $(source.code).get() : []),
  );
  walk.run(body);
  return walk.truth;
}

/** Letters and digits alone, in lower case: writings of one text agree whatever their spacing and markup. */
export function squeeze(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

const KIND_OF: Readonly<Record<string, UnitKind>> = {
  dt: 'signature',
  pre: 'code block',
  tr: 'table row',
  li: 'list item',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  figcaption: 'caption',
  caption: 'caption',
};
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const UNREAD = new Set('script style noscript template svg math textarea select iframe object audio video canvas title'.split(' '));

class TruthWalk {
  private readonly content: ReadonlySet<AnyNode>;
  private readonly neutral: ReadonlySet<AnyNode>;
  private readonly code: ReadonlySet<AnyNode>;
  private readonly inside: Piece[] = [];
  private readonly outside: Piece[] = [];
  private text = '';

  constructor(content: ReadonlySet<AnyNode>, neutral: ReadonlySet<AnyNode>, code: ReadonlySet<AnyNode>) {
    this.content = content;
    this.neutral = neutral;
    this.code = code;
  }

  get truth(): PageTruth {
    return { inside: this.inside, outside: this.outside };
  }

  run(body: Element): void {
    this.children(body, false, undefined);
    this.end(false, undefined);
  }

  private children(element: Element, inside: boolean, unit: Unit | undefined): void {
    for (const child of element.children) {
      if (isText(child)) this.text += child.data;
      else if (isTag(child)) this.element(child, inside, unit);
    }
  }

  private element(element: Element, inside: boolean, unit: Unit | undefined): void {
    if (UNREAD.has(element.name) || isHidden(element) || this.neutral.has(element)) return;
    const isCode = this.code.has(element);
    const isContent = this.content.has(element);
    if (INLINE.has(element.name) && !isCode && !isContent) return this.children(element, inside, unit);
    this.end(inside, unit);
    const kind = isCode ? 'code block' : KIND_OF[element.name];
    const inner = inside || isContent;
    const own = kind ? { kind } : element.name === 'dd' ? undefined : unit;
    this.children(element, inner, own);
    this.end(inner, own);
  }

  private end(inside: boolean, unit: Unit | undefined): void {
    const text = squeeze(this.text);
    const words = this.text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
    this.text = '';
    if (text !== '') (inside ? this.inside : this.outside).push({ text, words, unit });
  }
}

/** Hidden by its own markup, or in a closed `<details>` and not its summary (HTML 4.11.1). */
function isHidden({ name, attribs, parent }: Element): boolean {
  if (parent && isTag(parent) && parent.name === 'details' && parent.attribs['open'] === undefined && name !== 'summary') return true;
  return attribs['hidden'] !== undefined || /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribs['style'] ?? '');
}
