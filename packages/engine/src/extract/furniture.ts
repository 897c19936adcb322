// Finds what documentation engines and wikis put into their text for readers with a mouse: permalinks, edit links, copy buttons, line numbers.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { isHidden, isUnshown } from '../html/hidden.ts';
import { findOnce } from '../html/tree.ts';
import type { PageTree } from '../html/tree.ts';
import { parentOf, shownElementsBelow, textContentOf } from '../html/walk.ts';
import { carriesCode } from './code-runners.ts';
import { languageOf } from './markdown/handlers/code.ts';

/** Class tokens of widespread engines, by what they mark. Each is held against what the element says before it is left out. */
const TOKENS: Readonly<Record<Kind, string>> = {
  // MediaWiki, old MediaWiki, DokuWiki; MediaWiki's links from a note back to its places; links over the navigation (MediaWiki, Javadoc, WordPress)
  tool: 'mw-editsection mw-editsection-like editsection secedit mw-cite-backlink mw-jump-link mw-jump skipNav skip-nav skip-link screen-reader-shortcut',
  // Pygments, Chroma, Rouge, highlightjs-line-numbers, SyntaxHighlighter, cgit, gitweb, Redmine, GitLab, Javadoc and Doxygen sources, react-syntax-highlighter, Shiki
  gutter:
    'linenos lineno linenodiv ln lnt hljs-ln-numbers hljs-ln-n rouge-gutter gutter linenumber linenumbers linenr line-num line-number line-numbers ' +
    'line-numbers-wrapper line-no blob-num source-line-no react-syntax-highlighter-line-number diff-line-num',
  // Sphinx and Prism toolbars, GitHub, WordPress
  copy: 'copybtn copy-btn copy-button copy-code-button btn-clipboard md-clipboard zeroclipboard-container clipboard-copy',
  // MediaWiki
  print: 'printfooter',
  // What a page leaves off paper steers it or says where it is: MediaWiki and Bootstrap 2, Bootstrap 3, 4 and later, Tailwind
  unprinted: 'noprint no-print hidden-print d-print-none print:hidden',
  // MediaWiki, DokuWiki, Hugo, Python-Markdown and markdown-it, WordPress
  contents:
    'toc dw__toc TableOfContents table-of-contents tableofcontents vector-toc ez-toc-container lwptoc mw-table-of-contents-container',
};
type Kind = 'tool' | 'gutter' | 'copy' | 'print' | 'unprinted' | 'contents';

const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  (Object.keys(TOKENS) as Kind[]).flatMap((kind) => (TOKENS[kind] as string).split(' ').map((token) => [token, kind] as const)),
);
const HEADING = /^(?:h[1-6]|dt|caption|figcaption|legend|summary)$/;
/** Signs that stand for the place where they are. */
const PERMALINK = /^[\s\u200b\ufeff\u2060]*(?:[¶§#🔗⚓]|\ue157|\uf0c1)?[\s\ufe0f\u200b\ufeff\u2060]*$/u;
const NUMBERS = /^[\s\d]*$/;
/** How many brothers before a code block may be its label. */
const LABELS_MAX = 3;
/** How far below its heading a button may stand. */
const HEADING_DEPTH = 3;

/** What is left out of the text of a page, each node below none of the others. */
export interface Furniture {
  readonly nodes: ReadonlySet<AnyNode>;
  /** Tables of contents that lead nowhere but into the page itself. */
  readonly contents: ReadonlySet<AnyNode>;
  /** Links whose address has a fragment, in document order. */
  readonly fragmentLinks: readonly Element[];
}

const FOUND = Symbol('furniture');

/** The furniture of a page. */
export function furnitureOf(tree: PageTree): Furniture {
  return findOnce(tree, FOUND, findFurniture);
}

function findFurniture(tree: PageTree): Furniture {
  const { body } = tree;
  const nodes = new Set<AnyNode>();
  const contents = new Set<AnyNode>();
  const fragmentLinks: Element[] = [];
  const kinds = new Map<string, Kind | 'none'>();
  const kindOf = ({ attribs }: Element): Kind | undefined => {
    const { class: names, id } = attribs;
    let kind: Kind | 'none' | undefined = 'none';
    if (names !== undefined && (kind = kinds.get(names)) === undefined) kinds.set(names, (kind = kindOfNames(names) ?? 'none'));
    return kind !== 'none' ? kind : id === undefined ? undefined : CONTENTS_IDS.get(id);
  };
  const isFurniture = (element: Element): boolean => {
    const kind = kindOf(element);
    if (kind !== undefined && kind !== 'contents' && FITS[kind](element)) return true;
    if (kind === 'contents' && leadsIntoPage(element)) {
      contents.add(element);
      const title = titleBefore(element);
      if (title) contents.add(title);
    }
    switch (element.name) {
      case 'a':
        if (isSignOfScript(element) || carriesCode(element, tree)) return true;
        if (!element.attribs['href']?.includes('#')) return false;
        fragmentLinks.push(element);
        return isPermalink(element);
      case 'button':
        return standsAtCode(element) || isSignInHeading(element);
      case 'pre':
        for (const label of labelsOf(element)) nodes.add(label);
        return false;
      case 'tr':
        addGutterCell(element, nodes);
        return false;
      default:
        return element.name === 'clipboard-copy';
    }
  };
  /** Recursion is bounded by the depth cap of the tree. */
  const visit = (parent: Element): void => {
    for (const child of parent.children) {
      if (!isTag(child) || isUnshown(child) || isHidden(child)) continue;
      if (isFurniture(child)) nodes.add(child);
      visit(child);
    }
  };
  visit(body);
  return { nodes, contents, fragmentLinks };
}

const CONTENTS_IDS: ReadonlyMap<string, Kind> = new Map(
  ['toc', 'TableOfContents', 'dw__toc', 'table-of-contents', 'toc_container', 'ez-toc-container'].map((id) => [id, 'contents']),
);

function kindOfNames(names: string): Kind | undefined {
  for (const token of names.split(/\s+/)) {
    const kind = KIND_OF.get(token);
    if (kind) return kind;
  }
  return undefined;
}

const TOOL_CHARS_MAX = 80;

const FITS: Readonly<Record<Exclude<Kind, 'contents'>, (element: Element) => boolean>> = {
  tool: isShort,
  gutter: (element) => NUMBERS.test(textContentOf(element)),
  copy: isShort,
  print: leadsToAddress,
  unprinted: (element) => {
    if (HEADING.test(element.name)) return false;
    const names = [...shownElementsBelow(element)].map(({ name }) => name);
    if (names.some((name) => UNPRINTED_TEXT.test(name))) return false;
    return names.some((name) => CONTROL.test(name)) || (isShort(element) && !names.some((name) => PICTURE.test(name)));
  },
};

/** What is read even where it is not printed. */
const UNPRINTED_TEXT = /^(?:h[1-6]|p|pre|table|dl|figure|video)$/;
const PICTURE = /^(?:img|picture)$/;
/** What a visitor sets or presses (HTML 4.10.2): whatever stands beside it in a box without text steers the page, and its pictures are signs. */
const CONTROL = /^(?:input|select|textarea|button)$/;

function isShort(element: Element): boolean {
  return textContentOf(element).trim().length <= TOOL_CHARS_MAX;
}

/** A link that shows its own address. */
function isBareAddress(element: Element): boolean {
  return element.name === 'a' && element.attribs['href'] !== undefined && textContentOf(element).trim() === element.attribs['href'].trim();
}

/** A few words that lead up to the address of a page. */
function leadsToAddress(element: Element): boolean {
  const links = [...shownElementsBelow(element)].filter(isBareAddress);
  const linked = links.reduce((sum, link) => sum + textContentOf(link).length, 0);
  return links.length > 0 && textContentOf(element).trim().length - linked <= TOOL_CHARS_MAX;
}

/** A link to the heading, term or caption that it ends or follows; or one that shows a sign of its place alone. */
function isPermalink(link: Element): boolean {
  const href = link.attribs['href']?.trim() ?? '';
  const fragment = href.slice(href.indexOf('#') + 1);
  if (!href.includes('#') || fragment === '') return false;
  const text = textContentOf(link);
  if (PERMALINK.test(text)) return !link.children.some(isPicture);
  if (!href.startsWith('#')) return false;
  const heading = headingEndedBy(link) ?? headingBefore(link);
  if (!heading || textContentOf(heading).trim() === text.trim()) return false;
  return isPlace(heading, fragment) || (parentOf(heading) !== undefined && isPlace(parentOf(heading) as Element, fragment));
}

/** True for a link that is all of a heading and leads to `place`, which is where that heading stands. */
export function isOwnPlace(link: Element, place: string): boolean {
  const heading = headingEndedBy(link);
  if (!heading || textContentOf(heading).trim() !== textContentOf(link).trim()) return false;
  return [heading, parentOf(heading)].some((element) => element && isPlace(element, place)) || idOf(link) === place;
}

/** A picture is content, unless it is drawn in the markup. */
function isPicture(node: AnyNode): boolean {
  return isTag(node) && (node.name === 'img' || node.children.some(isPicture));
}

/** A link that words of the heading follow is one of its words. */
function headingEndedBy(link: Element): Element | undefined {
  let last: Element = link;
  for (let up = 0; up <= 1; up++) {
    for (let node = last.next; node; node = node.next) if (!isBlankNode(node)) return undefined;
    const parent = parentOf(last);
    if (!parent || HEADING.test(parent.name)) return parent;
    last = parent;
  }
  return undefined;
}

function isBlankNode(node: AnyNode): boolean {
  return isText(node) ? node.data.trim() === '' : !isTag(node) || textContentOf(node).trim() === '';
}

function headingBefore(link: Element): Element | undefined {
  let node: AnyNode | null = link.prev;
  while (node && isText(node) && node.data.trim() === '') node = node.prev;
  return node && isTag(node) && HEADING.test(node.name) ? node : undefined;
}

function isPlace({ attribs, children }: Element, fragment: string): boolean {
  return attribs['id'] === fragment || children.some((child) => isTag(child) && idOf(child) === fragment);
}

/** The id of an element; the name of an anchor is one, too. */
function idOf({ attribs }: Element): string | undefined {
  return attribs['id'] ?? attribs['name'];
}

/** A sign that a script answers to, `[−]`: it leads nowhere and says no word. */
function isSignOfScript(link: Element): boolean {
  return (
    /^\s*javascript:/i.test(link.attribs['href'] ?? '') && /^[^\p{L}\p{N}]+$/u.test(textContentOf(link)) && !link.children.some(isPicture)
  );
}

/** A button without a word that stands in a heading acts on it; its picture is no part of the title. */
function isSignInHeading(button: Element): boolean {
  if (textContentOf(button).trim() !== '') return false;
  for (let at = parentOf(button), up = 0; at && up < HEADING_DEPTH; at = parentOf(at), up++) if (/^h[1-6]$/.test(at.name)) return true;
  return false;
}

/** A button in the frame of a code block acts on it. */
function standsAtCode(button: Element): boolean {
  const parent = parentOf(button);
  const outer = parent && parentOf(parent);
  return holdsPre(parent) || (holdsPre(outer) && (outer as Element).children.filter(isTag).length <= LABELS_MAX);
}

function holdsPre(element: Element | undefined): boolean {
  return element?.children.some((child) => isTag(child) && child.name === 'pre') === true;
}

/** What stands before a code block and says nothing but its language. */
function labelsOf(pre: Element): readonly AnyNode[] {
  const language = languageOf(pre);
  if (language === '') return [];
  const labels: AnyNode[] = [];
  let node: AnyNode | null = pre.prev;
  for (let seen = 0; node && seen < LABELS_MAX; node = node.prev) {
    if (!isTag(node)) continue;
    seen++;
    if (LABEL_NAMES.has(node.name) && labelText(node) === language) labels.push(node);
  }
  return labels;
}

const LABEL_NAMES = new Set(['span', 'div', 'small', 'label', 'header']);

function labelText(element: Element): string {
  const words = element.children.map((child) =>
    isText(child) ? child.data : isTag(child) && child.name !== 'button' ? textContentOf(child) : '',
  );
  return words.join(' ').trim().toLowerCase();
}

/** The first cell of a row that holds nothing but numbers, line by line, beside one with code. */
function addGutterCell(row: Element, nodes: Set<AnyNode>): void {
  const [first, second] = row.children.filter(isTag);
  if (!first || !second || !(holdsPre(second) || holdsPre(second.children.find(isTag)))) return;
  const numbers = textContentOf(first).match(/\S+/g) ?? [];
  if (numbers.length > 0 && numbers.every((text, i) => Number(text) === Number(numbers[0]) + i)) nodes.add(first);
}

/** What wikis, manuals and blogs write over a table of contents, in the languages that they come in. */
const CONTENTS_TITLE =
  /^(?:(?:table of )?contents|(?:on this page|in this (?:article|guide|post))|inhalt(?:sverzeichnis|sübersicht)?|auf dieser seite|sommaire|table des matières|contenidos?|tabla de contenidos?|índice|sumário|conteúdo|indice|sommario|inhoud(?:sopgave)?|spis treści|obsah|innehåll|innhold|indhold|sisällys(?:luettelo)?|tartalom(?:jegyzék)?|cuprins|içindekiler|содержание|оглавление|зміст|目次|目录|目錄|목차)\s*:?$/iu;

/** True for the words that head a table of contents and nothing else. */
export function isContentsTitle(text: string): boolean {
  return CONTENTS_TITLE.test(text.trim());
}

/** The heading right before a table of contents that says nothing but that it is one. */
function titleBefore(contents: Element): Element | undefined {
  const title = headingBefore(contents);
  return title && isContentsTitle(textContentOf(title)) ? title : undefined;
}

/** True for a list of links that all lead into the page itself, and next to nothing beside them. */
function leadsIntoPage(element: Element): boolean {
  let links = 0;
  let linked = 0;
  for (const below of shownElementsBelow(element)) {
    if (below.name !== 'a' || below.attribs['href'] === undefined) continue;
    if (!below.attribs['href'].trim().startsWith('#')) return false;
    links++;
    linked += textContentOf(below).trim().length;
  }
  return links > 0 && textContentOf(element).replace(/\s+/g, ' ').trim().length - linked <= TOOL_CHARS_MAX + links * 8;
}
