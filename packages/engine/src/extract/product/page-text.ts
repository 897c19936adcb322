// The visible text of a page in blocks, each with its place: main content, header, list of related things.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { APART_ELEMENTS } from '../../html/elements.ts';
import { isHidden } from '../../html/hidden.ts';
import type { PageTree } from '../../html/tree.ts';
import { collapse } from '../../html/text.ts';
import { parentOf } from '../../html/walk.ts';
import { likeness, wordSet } from './names.ts';

/** The part of a page that a text belongs to; `main` is all that nothing marks as another. */
export type Area = 'main' | 'header' | 'footer' | 'nav' | 'aside' | 'related' | 'reviews' | 'dialog';

/** Text that a browser would set as one run: between two block boundaries. */
export interface TextBlock {
  readonly text: string;
  /** Position among the blocks of the page. */
  readonly index: number;
  /** The innermost block-level element around the text. */
  readonly element: Element;
  readonly area: Area;
  /** The text nodes that make the block, with their offsets in `text`. */
  readonly pieces: readonly { readonly start: number; readonly element: Element }[];
}

/** A button, link, form or quantity field. */
export interface Control {
  readonly element: Element;
  readonly area: Area;
  /** Index of the block that follows its start. */
  readonly index: number;
}

/** What a visitor can read and press, in document order. */
export interface PageText {
  readonly blocks: readonly TextBlock[];
  readonly controls: readonly Control[];
  /** The heading that names what the page is about; undefined without one. */
  readonly heading: TextBlock | undefined;
}

/** Text beyond this is left unread. */
export const PAGE_CHARS_MAX = 5_000_000;
const HEADING_CHARS_MAX = 300;

const SKIPPED: ReadonlySet<string> = new Set(
  'script style template noscript svg iframe object textarea head math canvas audio video'.split(' '),
);
const AREA_BY_TAG: ReadonlyMap<string, Area> = new Map(
  Object.entries<Area>({ header: 'header', footer: 'footer', nav: 'nav', aside: 'aside', dialog: 'dialog' }),
);
const AREA_BY_ROLE: ReadonlyMap<string, Area> = new Map(
  Object.entries<Area>({
    banner: 'header',
    contentinfo: 'footer',
    navigation: 'nav',
    menu: 'nav',
    complementary: 'aside',
    dialog: 'dialog',
  }),
);
/** Words of class names and ids, soft hints only: an element around the page's heading is main whatever it is called. */
const AREA_BY_WORD: readonly (readonly [RegExp, Area])[] = [
  [
    /(?:^|[\s_-])(?:related|recommend\w*|similar|cross-?sells?|up-?sells?|recently|viewed|also|suggest\w*|sponsored|accessories|bestsellers?)(?:$|[\s_-])/i,
    'related',
  ],
  [/(?:^|\s)(?:site-|page-|main-|global-|top-)?(?:header|topbar|top-bar)(?:$|\s)/i, 'header'],
  [/(?:^|\s)(?:site-|page-|main-|global-)?footer(?:$|\s|-)/i, 'footer'],
  [/(?:^|[\s_-])(?:nav|navigation|navbar|menu|megamenu|breadcrumbs?|mini-?cart|cart-?drawer)(?:$|\s)/i, 'nav'],
  [/(?:^|[\s_-])(?:reviews?|comments?|testimonials?|questions|faq)(?:$|[\s_-])/i, 'reviews'],
  [/(?:^|[\s_-])(?:modal|popup|lightbox|cookie|cookies|newsletter|tooltip)(?:$|[\s_-])/i, 'dialog'],
];
/** Elements that set a part of a word apart by its looks. */
const WITHIN_WORDS: ReadonlySet<string> = new Set('b strong i em u font small big mark bdi bdo wbr sup sub tt kbd code'.split(' '));
/** Where a word, an amount or a sentence ends; scripts without capitals are left alone, as they often write without blanks. */
const WORD_END = /[\p{Lu}\p{Ll}\p{N}\p{Sc})%*]$|\D[.!?:]$/u;
const WORD_START = /^[\p{Lu}\p{Ll}\p{N}\p{Sc}(]/u;
/** Data and templates that scripts keep in elements. */
const SOURCE_TEXT = /^[{[]\s*["{[]|\$\{|\{\{/;

/**
 * The page's text blocks and controls in document order, without what the page hides.
 * `names` are names of the product by which the heading is found.
 */
export function readPageText(tree: PageTree, names: readonly string[] = []): PageText {
  const headingElement = findHeading(tree, names);
  const reader = new BlockReader(new Set([tree.body, ...(headingElement ? ancestorsOf(headingElement) : [])]), PAGE_CHARS_MAX);
  reader.visit(tree.body, 'main');
  reader.close();
  const heading = headingElement && reader.blocks.find((block) => isWithin(block.element, headingElement));
  return { blocks: reader.blocks, controls: reader.controls, heading };
}

/** The element's ancestors, itself first. */
export function* ancestorsOf(element: Element): Generator<Element> {
  for (let at: Element | undefined = element; at; at = parentOf(at)) yield at;
}

/** True if `element` is `ancestor` or lies inside it. */
export function isWithin(element: Element, ancestor: Element): boolean {
  for (const at of ancestorsOf(element)) if (at === ancestor) return true;
  return false;
}

/** Everything by which programs and styles call an element. */
export function namesOf(element: Element): string {
  const { class: classes = '', id = '', itemprop = '', 'data-testid': testId = '' } = element.attribs;
  return `${classes} ${id} ${itemprop} ${testId}`;
}

/** The text of an element as a browser would show it, on one line; reading stops a little behind `charsMax`. */
export function shownText(element: Element, charsMax: number): string {
  const reader = new BlockReader(new Set([element]), charsMax);
  reader.visit(element, 'main');
  reader.close();
  return collapse(reader.blocks.map((block) => block.text).join(' '));
}

function isLeftOut(element: Element): boolean {
  return SKIPPED.has(element.name) || isHidden(element) || (element.name === 'input' && element.attribs['type'] === 'hidden');
}

class BlockReader {
  readonly blocks: TextBlock[] = [];
  readonly controls: Control[] = [];
  private readonly main: ReadonlySet<Element>;
  private text = '';
  private pieces: { start: number; element: Element }[] = [];
  private holder: Element | undefined;
  private area: Area = 'main';
  private charsLeft: number;

  constructor(main: ReadonlySet<Element>, charsMax: number) {
    this.main = main;
    this.charsLeft = charsMax;
  }

  visit(element: Element, outer: Area): void {
    if (this.charsLeft < 0 || isLeftOut(element)) return;
    const area = this.main.has(element) ? 'main' : outer === 'main' ? areaOf(element) : outer;
    const isBlock = APART_ELEMENTS.has(element.name) || element.name === 'input';
    if (isControl(element)) this.controls.push({ element, area, index: this.blocks.length });
    if (isBlock || element.name === 'br') this.close();
    if (element.name === 'input' && isControl(element))
      this.append(element.attribs['value'] ?? element.attribs['alt'] ?? '', element, area);
    for (const child of element.children) this.child(child, element, area);
    if (isBlock) this.close();
  }

  /** Ends the run of text; blank runs are no blocks. */
  close(): void {
    const text = this.text.trimEnd();
    if (text !== '' && this.holder && !SOURCE_TEXT.test(text)) {
      this.blocks.push({ text, index: this.blocks.length, element: this.holder, area: this.area, pieces: this.pieces });
    }
    this.text = '';
    this.pieces = [];
    this.holder = undefined;
  }

  private child(child: AnyNode, parent: Element, area: Area): void {
    if (isTag(child)) this.visit(child, area);
    else if (isText(child) && !isHidden(child))
      this.append(child.data.slice(0, Math.max(0, this.charsLeft) * 2 + 200).replace(/[\s\u200b]+/g, ' '), parent, area);
  }

  private append(data: string, element: Element, area: Area): void {
    if (this.holder === undefined) {
      if (data.trim() === '') return;
      this.holder = blockOf(element);
      this.area = area;
    }
    const shown = this.text === '' || this.text.endsWith(' ') ? data.trimStart() : data;
    if (shown === '') return;
    this.text += this.joint(shown, element);
    this.charsLeft -= shown.length;
    this.pieces.push({ start: this.text.length, element });
    this.text += shown;
  }

  /** What keeps the texts of neighbouring elements apart that a reader sees as two: raised cents get a point, whole prices and words a blank. */
  private joint(data: string, element: Element): string {
    const before = this.pieces.at(-1)?.element;
    if (before === undefined || before === element) return '';
    if (/\d$/.test(this.text) && /^\d/.test(data)) {
      // Two digits in an element of their own are the cents, however the element is called.
      if (/^\d\d\D*$/.test(data) && !/[.,]\d+$/.test(this.text)) return '.';
      return /[.,]\d\d$/.test(this.text) ? ' ' : '';
    }
    if (!WORD_START.test(data) || !WORD_END.test(this.text.slice(-2))) return '';
    return isPartOfWord(before, element) || isPartOfWord(element, before) ? '' : ' ';
  }
}

function isPartOfWord(inner: Element, outer: Element): boolean {
  return inner.parent === outer && WITHIN_WORDS.has(inner.name);
}

/** True for a field that asks how many pieces to buy. */
export function isQuantityField(element: Element): boolean {
  if (element.name !== 'input' && element.name !== 'select') return false;
  const words = `${element.attribs['name'] ?? ''} ${element.attribs['id'] ?? ''}`;
  return /(?:^|[\s_\-[\]])(?:qty|quantity|menge|anzahl|quantit[eéà]|cantidad|quantidade|aantal|antal|antall|ilosc|pocet|mnozstvo|mnozstvi|mennyiseg|kolicina|kolichestvo|kol-?vo|adet)(?:$|[\s_\-[\]\d])/i.test(
    words,
  );
}

function isControl(element: Element): boolean {
  const { type = '' } = element.attribs;
  if (element.name === 'input' && /^(?:submit|button|image)$/i.test(type)) return true;
  if (element.name === 'input' || element.name === 'select') return isQuantityField(element);
  if (element.name === 'button' || element.name === 'a' || element.name === 'form') return true;
  return element.attribs['role'] === 'button';
}

function blockOf(element: Element): Element {
  for (const at of ancestorsOf(element)) if (APART_ELEMENTS.has(at.name)) return at;
  return element;
}

function areaOf(element: Element): Area {
  const byMark = AREA_BY_ROLE.get(element.attribs['role'] ?? '') ?? AREA_BY_TAG.get(element.name);
  if (byMark) return byMark;
  const words = `${element.attribs['class'] ?? ''} ${element.attribs['id'] ?? ''}`;
  if (words === ' ') return 'main';
  return AREA_BY_WORD.find(([pattern]) => pattern.test(words))?.[1] ?? 'main';
}

/** The `<h1>` that is most like one of `names`, else the first; a smaller heading only if it is one of them. */
function findHeading(tree: PageTree, names: readonly string[]): Element | undefined {
  const wanted = names.map(wordSet).filter((words) => words.size > 0);
  let best: { element: Element; score: number } | undefined;
  const pending: Element[] = [tree.body];
  for (let element = pending.pop(); element; element = pending.pop()) {
    if (isLeftOut(element)) continue;
    const rank = headingRank(element);
    if (rank > 0) {
      const words = wordSet(shownText(element, HEADING_CHARS_MAX));
      const like = Math.max(0, ...wanted.map((name) => likeness(words, name)));
      const score = words.size === 0 || (rank === 1 && like <= 0.6) ? 0 : rank === 2 ? 1 + like : like;
      if (score > (best?.score ?? 0)) best = { element, score };
    }
    for (let i = element.children.length - 1; i >= 0; i--) {
      const child = element.children[i] as AnyNode;
      if (isTag(child)) pending.push(child);
    }
  }
  return best?.element;
}

/** 2 for the main heading; 1 for what names the product only if it is like the title; 0 for the rest. */
function headingRank(element: Element): 0 | 1 | 2 {
  if (element.name === 'h1') return 2;
  if (/^h[2-4]$/.test(element.name) || element.attribs['itemprop'] === 'name') return 1;
  return /(?:product|item|goods|article)[-_]?(?:name|title)(?:$|\s)/i.test(
    `${element.attribs['class'] ?? ''} ${element.attribs['id'] ?? ''}`,
  )
    ? 1
    : 0;
}
