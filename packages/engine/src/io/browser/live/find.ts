// Finds in an open page the very nodes that a selector finds in its flattened copy: the copy is taken with the place of each node, and asked.
import type { Element } from 'domhandler';
import type { ElementHandle, Frame } from 'playwright-core';
import { findElements } from '../../../html/selectors/elements.ts';
import type { ElementPath } from '../../../html/selectors/elements.ts';
import { isFrameBox } from '../../../html/selectors/roots.ts';
import type { PageTree } from '../../../html/tree.ts';
import { parseTree } from '../../../html/tree.ts';
import { elementsWithTemplates } from '../../../html/walk.ts';
import { NODE_MARK, tooManyCharacters } from '../read-dom.ts';
import { takeCopy, takeNode } from './page-world.ts';
import type { NodeRequest } from './page-world.ts';

/**
 * Which copy of a page will do: one taken now; the last one where nothing has changed, though styles may hide other things; or the last one,
 * whose nodes say when they are asked for whether it still holds.
 */
export type CopyAge = 'fresh' | 'same' | 'any';

/** The document of a frame at one moment. */
export interface LiveCopy {
  readonly frame: Frame;
  readonly tree: PageTree;
  readonly reading: number;
  /** False for one that was taken before: its nodes are handed out only while the page is the same and shows them. */
  readonly isFresh: boolean;
  /** Which node of the page an element is. */
  readonly ids: ReadonlyMap<Element, number>;
}

/** An element of a copy. */
export interface LiveElement {
  readonly copy: LiveCopy;
  readonly element: Element;
}

/** What is kept of a frame's last copy: a page that is asked again and again while it stays the same is parsed once. */
interface ParsedCopy {
  readonly reading: number;
  readonly html: string;
  readonly tree: PageTree;
  readonly ids: ReadonlyMap<Element, number>;
}

const CHARACTERS_MAX = 25_000_000;
/** Frames of other origins that one part of a selector leads into. */
const FRAMES_MAX = 20;
const parsed = new WeakMap<Frame, ParsedCopy>();

/** The document of `frame` now. Throws PageError `body_too_large`, and what Playwright throws while the frame goes elsewhere. */
async function readLive(frame: Frame, timeoutMs: number, age: CopyAge): Promise<LiveCopy> {
  const known = parsed.get(frame);
  if (age === 'any' && known) return { frame, ...known, isFresh: false };
  const { reading, html, isSame } = await takeCopy(frame, CHARACTERS_MAX, timeoutMs, age === 'fresh' ? undefined : known?.reading);
  if (isSame === true && known) return { frame, ...known, isFresh: false };
  if (html === undefined) throw tooManyCharacters(CHARACTERS_MAX);
  const copy = known?.html === html ? { ...known, reading } : { reading, ...parseCopy(html, frame.url()) };
  parsed.set(frame, copy);
  return { frame, ...copy, isFresh: true };
}

function parseCopy(html: string, url: string): Omit<ParsedCopy, 'reading'> {
  const tree = parseTree(html, url, { includeHidden: true });
  const ids = new Map<Element, number>();
  for (const element of elementsWithTemplates(tree.root)) {
    const mark = element.attribs[NODE_MARK];
    if (mark === undefined) continue;
    ids.set(element, Number(mark));
    delete element.attribs[NODE_MARK];
  }
  return { html, tree, ids };
}

/**
 * What `path` finds from `frame` on, in frames of other origins where its parts lead there. Throws PageError `selector`, and as `readLive`.
 */
export async function findLive(frame: Frame, path: ElementPath, timeoutMs: number, age: CopyAge): Promise<readonly LiveElement[]> {
  const copy = await readLive(frame, timeoutMs, age);
  const { elements, beyond } = findElements(path, copy.tree);
  const found: LiveElement[] = elements.flatMap((element) => (copy.ids.has(element) ? [{ copy, element }] : []));
  for (const { frame: element, rest } of beyond.slice(0, FRAMES_MAX)) {
    const handle = await handleOf({ copy, element });
    const inner = await handle?.contentFrame();
    if (inner) found.push(...(await findLive(inner, rest, timeoutMs, age)));
  }
  return found;
}

/** The node of the page; undefined when it has left it, or is hidden now where it was not when an older copy was taken. */
export async function handleOf(live: LiveElement): Promise<ElementHandle | undefined> {
  const request = requestOf(live);
  return request && (await takeNode(live.copy.frame, request));
}

/** How the node is asked for; undefined for an element that is no node of the page. */
export function requestOf(live: LiveElement): NodeRequest | undefined {
  const { copy, element } = live;
  const id = copy.ids.get(element);
  if (id === undefined) return undefined;
  const mustShow = !copy.isFresh && isShown(live);
  return { reading: copy.reading, id, isFramed: isInFrameBox(element), mustBeSame: !copy.isFresh, mustShow };
}

function isInFrameBox(element: Element): boolean {
  for (let at = element.parent; at; at = at.parent) if (isFrameBox(at)) return true;
  return false;
}

/** Whether the browser shows it, by what the copy says. */
export function isShown({ element }: LiveElement): boolean {
  if (element.name === 'input' && element.attribs['type']?.toLowerCase() === 'hidden') return false;
  for (let at: Element['parent'] | Element = element; at; at = at.parent)
    if ('attribs' in at && at.attribs['hidden'] !== undefined) return false;
  return true;
}
