// Reads off a parsed page what tells content from the frame that scripts fill: words, links and fields outside of menus, and empty places.
import type { AnyNode, Element } from 'domhandler';
import { isTag, isText } from 'domhandler';
import { isHidden } from '../hidden.ts';
import type { PageTree } from '../tree.ts';

/** What a page shows without scripts, and what it lacks. "Outside" is outside of headers, menus, footers and dialogs. */
export interface ShellSigns {
  /** Characters of text outside. */
  readonly characters: number;
  /** Those of them that are links. */
  readonly linkCharacters: number;
  /** Of the longest text outside that no link holds. */
  readonly longest: number;
  /** Characters of text in headers, menus, footers and dialogs. */
  readonly frameCharacters: number;
  /** Headings outside that say something. */
  readonly headings: number;
  /** Paragraphs, rows and items outside with a few words each. */
  readonly blocks: number;
  readonly links: number;
  readonly fields: number;
  /** Pictures, players and frames outside. */
  readonly media: number;
  /** Containers near the body's top with nothing in them. */
  readonly emptyPlaces: number;
  /** The same for `<main>`, and for elements of the page's own making. */
  readonly emptyMains: number;
  /** Placeholders, busy marks and short texts that end in an ellipsis. */
  readonly waits: number;
  readonly moduleScripts: number;
  readonly scripts: number;
  /** What `<noscript>` says, in characters. */
  readonly noscriptCharacters: number;
  readonly asksForScripts: boolean;
}

type Counts = { -readonly [Name in Exclude<keyof ShellSigns, 'asksForScripts'>]: number };

/** Landmarks by element (HTML-AAM: `header` and `footer` only where they belong to the whole page) and by role. */
const FRAME_ELEMENTS: ReadonlySet<string> = new Set(['nav', 'aside', 'dialog']);
const PAGE_FRAME_ELEMENTS: ReadonlySet<string> = new Set(['header', 'footer']);
const FRAME_ROLES: ReadonlySet<string> = new Set(['banner', 'navigation', 'contentinfo', 'complementary', 'dialog', 'alertdialog']);
const SECTIONING: ReadonlySet<string> = new Set(['main', 'article', 'section']);
/** A consent banner is no content, whatever element it is made of. */
const CONSENT = /cookie|consent|gdpr/i;
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'head', 'title', 'option', 'datalist']);
const MEDIA: ReadonlySet<string> = new Set(['img', 'picture', 'video', 'audio', 'iframe', 'object', 'embed', 'canvas', 'svg', 'math']);
const FIELDS: ReadonlySet<string> = new Set(['input', 'textarea', 'select', 'button']);
const BLOCKS: ReadonlySet<string> = new Set(['p', 'li', 'td', 'dd', 'dt', 'blockquote', 'pre', 'figcaption', 'label', 'summary']);
const CONTAINERS: ReadonlySet<string> = new Set(['div', 'main', 'section', 'article']);
const HEADING = /^h[1-6]$/;
const BLOCK_CHARACTERS = 20;
const PLACE_DEPTH_MAX = 4;
/** Classes that component libraries give to what stands for content to come (Bootstrap, MUI, Ant, Vuetify, PrimeNG). */
const WAITING_CLASS = /skeleton|spinner|shimmer|preloader|(?:^|[\s_-])load(?:er|ing)(?:[\s_-]|$)|placeholder-(?:glow|wave)/i;
const NOTICE = /©|\bcopyright\b/i;
const ELLIPSIS = /^.{0,40}(?:…|\.\.\.)$/s;

/** The signs of `tree`. */
export function readShellSigns(tree: PageTree): ShellSigns {
  const counts: Counts = {
    characters: 0,
    linkCharacters: 0,
    longest: 0,
    frameCharacters: 0,
    headings: 0,
    blocks: 0,
    links: 0,
    fields: 0,
    media: 0,
    emptyPlaces: 0,
    emptyMains: 0,
    waits: 0,
    moduleScripts: 0,
    scripts: 0,
    noscriptCharacters: 0,
  };
  const noscript: string[] = [];
  for (const child of tree.head.children) if (isTag(child)) countUnseen(child, counts, noscript);
  visit(tree.body, { counts, noscript }, { depth: 0, isFrame: false, isInSection: false, isInLink: false });
  const said = noscript.join(' ');
  return { ...counts, noscriptCharacters: said.length, asksForScripts: /java\s?script/i.test(said) };
}

interface Notes {
  readonly counts: Counts;
  readonly noscript: string[];
}

interface Place {
  readonly depth: number;
  readonly isFrame: boolean;
  readonly isInSection: boolean;
  readonly isInLink: boolean;
}

/** Whether anything is shown in `element`. Recursion is bounded by the depth cap of the tree. */
function visit(element: Element, notes: Notes, place: Place): boolean {
  let isShown = false;
  let characters = 0;
  for (const child of element.children) {
    if (isHidden(child)) continue;
    if (isText(child)) characters += child.data.trim().length;
    else if (isTag(child) && visitChild(child, notes, place)) isShown = true;
  }
  const { counts } = notes;
  if (characters > 0) {
    if (place.isFrame || isNotice(element)) counts.frameCharacters += characters;
    else countText(element, characters, place.isInLink, counts);
  }
  return isShown || characters > 0;
}

function visitChild(element: Element, notes: Notes, place: Place): boolean {
  const { counts, noscript } = notes;
  if (UNSEEN.has(element.name)) return countUnseen(element, counts, noscript);
  const { name } = element;
  const isFrame = place.isFrame || isFrameElement(element, place);
  if (!isFrame) countElement(element, counts);
  if (MEDIA.has(name)) return true;
  const isInSection = place.isInSection || SECTIONING.has(name);
  const isInLink = place.isInLink || name === 'a';
  const isShown = visit(element, notes, { depth: place.depth + 1, isFrame, isInSection, isInLink }) || FIELDS.has(name);
  if (!isShown && !isFrame) countEmpty(element, place.depth, counts);
  return isShown;
}

function isFrameElement({ name, attribs }: Element, { isInSection }: Place): boolean {
  if (FRAME_ELEMENTS.has(name) || FRAME_ROLES.has(attribs['role'] ?? '')) return true;
  if (PAGE_FRAME_ELEMENTS.has(name)) return !isInSection;
  return CONTAINERS.has(name) && CONSENT.test(`${attribs['id'] ?? ''} ${attribs['class'] ?? ''}`);
}

function countElement({ name, attribs }: Element, counts: Counts): void {
  if (name === 'a' && attribs['href'] !== undefined) counts.links += 1;
  else if (FIELDS.has(name) && attribs['type'] !== 'hidden') counts.fields += 1;
  else if (MEDIA.has(name) && name !== 'svg') counts.media += 1;
  if (attribs['aria-busy'] === 'true' || attribs['role'] === 'progressbar' || WAITING_CLASS.test(attribs['class'] ?? '')) counts.waits += 1;
}

/** A line that says who owns the page, in whatever element it stands. */
function isNotice(element: Element): boolean {
  return element.children.some((child) => isText(child) && NOTICE.test(child.data));
}

function countText(element: Element, characters: number, isInLink: boolean, counts: Counts): void {
  const text = characters <= 45 ? ownText(element) : '';
  if (ELLIPSIS.test(text) && element.name !== 'a' && element.name !== 'button') counts.waits += 1;
  counts.characters += characters;
  if (isInLink) counts.linkCharacters += characters;
  else counts.longest = Math.max(counts.longest, characters);
  if (HEADING.test(element.name)) counts.headings += 1;
  else if (BLOCKS.has(element.name) && characters >= BLOCK_CHARACTERS) counts.blocks += 1;
}

/** A container that nothing stands in, and an element whose name with its hyphen says that a script defines it. */
function countEmpty({ name }: Element, depth: number, counts: Counts): void {
  if (depth >= PLACE_DEPTH_MAX) return;
  if (name === 'main' || name.includes('-')) counts.emptyMains += 1;
  else if (CONTAINERS.has(name)) counts.emptyPlaces += 1;
}

function countUnseen(element: Element, counts: Counts, noscript: string[]): boolean {
  if (element.name === 'noscript') noscript.push(allText(element));
  if (element.name !== 'script') return false;
  const type = element.attribs['type'] ?? '';
  if (type === 'module') counts.moduleScripts += 1;
  if (type === '' || type === 'module' || /javascript/i.test(type)) counts.scripts += 1;
  return false;
}

function ownText(element: Element): string {
  return element.children
    .filter(isText)
    .map(({ data }) => data)
    .join('')
    .trim();
}

function allText(node: AnyNode): string {
  if (isText(node)) return node.data.trim();
  return 'children' in node && !(isTag(node) && (node.name === 'style' || node.name === 'script'))
    ? node.children.map(allText).join(' ').trim()
    : '';
}
