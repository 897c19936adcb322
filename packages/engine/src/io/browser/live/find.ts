// Finds in an open page the very nodes that a selector finds in its flattened copy: the copy is taken with the place of each node, and asked.
import type { Element } from 'domhandler';
import type { ElementHandle, Frame } from 'playwright-core';
import { findElements } from '../../../html/selectors/elements.ts';
import type { ElementPath } from '../../../html/selectors/elements.ts';
import type { PageTree } from '../../../html/tree.ts';
import { parseTree } from '../../../html/tree.ts';
import { elementsWithTemplates } from '../../../html/walk.ts';
import { NODE_MARK, tooManyCharacters } from '../read-dom.ts';
import { takeCopy, takeNode } from './page-world.ts';

/** The document of a frame at one moment. */
export interface LiveCopy {
  readonly frame: Frame;
  readonly tree: PageTree;
  readonly reading: number;
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
  readonly html: string;
  readonly tree: PageTree;
  readonly ids: ReadonlyMap<Element, number>;
}

const CHARACTERS_MAX = 25_000_000;
/** Frames of other origins that one part of a selector leads into. */
const FRAMES_MAX = 20;
const parsed = new WeakMap<Frame, ParsedCopy>();

/** The document of `frame` now. Throws PageError `body_too_large`, and what Playwright throws while the frame goes elsewhere. */
export async function readLive(frame: Frame, timeoutMs: number): Promise<LiveCopy> {
  const { reading, html } = await takeCopy(frame, CHARACTERS_MAX, timeoutMs);
  if (html === undefined) throw tooManyCharacters(CHARACTERS_MAX);
  const known = parsed.get(frame);
  const copy = known?.html === html ? known : parseCopy(html, frame.url());
  parsed.set(frame, copy);
  return { frame, tree: copy.tree, reading, ids: copy.ids };
}

function parseCopy(html: string, url: string): ParsedCopy {
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

/** What `path` finds from `frame` on, in frames of other origins where its parts lead there. Throws PageError `selector`, and as `readLive`. */
export async function findLive(frame: Frame, path: ElementPath, timeoutMs: number): Promise<readonly LiveElement[]> {
  const copy = await readLive(frame, timeoutMs);
  const { elements, beyond } = findElements(path, copy.tree);
  const found: LiveElement[] = elements.flatMap((element) => (copy.ids.has(element) ? [{ copy, element }] : []));
  for (const { frame: element, rest } of beyond.slice(0, FRAMES_MAX)) {
    const handle = await handleOf({ copy, element });
    const inner = await handle?.contentFrame();
    if (inner) found.push(...(await findLive(inner, rest, timeoutMs)));
  }
  return found;
}

/** The node of the page; undefined when it has left it. */
export async function handleOf({ copy, element }: LiveElement): Promise<ElementHandle | undefined> {
  const id = copy.ids.get(element);
  return id === undefined ? undefined : await takeNode(copy.frame, copy.reading, id);
}

/** Whether the browser shows it, by what the copy says. */
export function isShown({ element }: LiveElement): boolean {
  if (element.name === 'input' && element.attribs['type']?.toLowerCase() === 'hidden') return false;
  for (let at: Element['parent'] | Element = element; at; at = at.parent)
    if ('attribs' in at && at.attribs['hidden'] !== undefined) return false;
  return true;
}
