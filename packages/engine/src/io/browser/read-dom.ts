// Reads the DOM of an open page as HTML, from a world that the page's own scripts can't reach.
import type { CDPSession } from 'playwright-core';
import { PageError } from '../../errors.ts';
import { within } from './deadline.ts';
import type { Budget } from './deadline.ts';

/** A page's DOM at one moment. */
export interface ReadDom {
  /** What the browser took the document for. */
  readonly contentType: string;
  /**
   * With what open shadow roots hold in a `<div data-shadow>` inside their host, what same-origin frames hold in a `<div data-frame>` behind
   * them, and `hidden` on what the browser does not show. Without `noscript`.
   */
  readonly html: string;
}

/** The attribute by which an element of a copy is known in the page. */
export const NODE_MARK = 'data-weft-node';

const READ_MS = 10_000;
const TRIES = 3;

/** The DOM behind `session`. Throws PageError `timeout` when the page is too busy to be read, `body_too_large` for more than `charactersMax`. */
export async function readDom(session: CDPSession, charactersMax: number, budget: Budget): Promise<ReadDom> {
  for (let tries = 1; ; tries++) {
    try {
      return await within(readOnce(session, charactersMax), Math.min(READ_MS, budget.leftMs()), 'reading the page');
    } catch (error) {
      // A page that goes on to another one takes the world with it.
      if (error instanceof PageError || tries === TRIES) throw error;
    }
  }
}

async function readOnce(session: CDPSession, charactersMax: number): Promise<ReadDom> {
  const { frameTree } = await session.send('Page.getFrameTree');
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'reader' });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `(${READ_DOCUMENT})(${charactersMax})`,
    contextId: world.executionContextId,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(`The page could not be read: ${exceptionDetails.text}`);
  // The expression's own answer: the world has pristine built-ins, so the page can't change its shape.
  const read = result.value as { contentType: string; parts?: readonly string[] };
  if (!read.parts) throw tooManyCharacters(charactersMax);
  return { contentType: read.contentType, html: read.parts.join('') };
}

/** The PageError for a DOM that is too large to be read. */
export function tooManyCharacters(charactersMax: number): PageError {
  return new PageError(
    'body_too_large',
    `The rendered page has more than ${charactersMax.toLocaleString('en')} characters. That is the most that is read of one page.`,
  );
}

/**
 * Runs in the page, in one go, so that nothing changes under it: copies the tree into a document that is shown nowhere, where nothing is
 * fetched, run or observed, and writes there what only the browser knows. `noscript` stays out: to this reader it says nothing. With `nodes`
 * each element of the copy says in NODE_MARK where in that list the element of the page is.
 */
export const READ_DOCUMENT = String.raw`(charactersMax, nodes) => {
  const FRAMES_MAX = 50, DEPTH_MAX = 3, ROOTS_MAX = 20000;
  const inert = document.implementation.createHTMLDocument('');
  // What browsers show nothing of by themselves, and what is drawn as a whole.
  const UNMARKED = new Set('script style template link meta base title noscript datalist option optgroup source track param area input svg math'.split(' '));
  let frames = 0, roots = 0;
  const documentOf = (frame) => { try { return frame.contentDocument; } catch { return null; } };
  // Opacity hides nothing, as on what fades in on scrolling, nor does a body that waits for scripts to show it.
  const isHidden = (element) => {
    const { display, visibility } = getComputedStyle(element);
    if (display === 'none') return true;
    if (element.parentElement && getComputedStyle(element.parentElement).contentVisibility === 'hidden') return true;
    if (visibility === 'visible' || getComputedStyle(element.ownerDocument.body).visibility !== 'visible') return false;
    for (const inner of element.querySelectorAll('*')) if (getComputedStyle(inner).visibility === 'visible') return false;
    return true;
  };
  const markHidden = (copy) => {
    copy.setAttribute('hidden', '');
    if (copy.style?.display) copy.style.setProperty('display', 'none');
  };
  const boxOf = (name, value, content) => {
    const box = inert.createElement('div');
    box.setAttribute(name, value);
    box.append(...content.childNodes);
    return box;
  };
  // The box of a frame stands behind its element, that of a frameset's frame behind everything.
  const frameBox = (frame, copy, depth, top) => {
    const held = depth < DEPTH_MAX && frames < FRAMES_MAX ? documentOf(frame) : null;
    if (!held?.body || held.body.childNodes.length === 0) return;
    frames += 1;
    const box = boxOf('data-frame', frame.src || held.URL, copyOf(held.body, depth + 1));
    if (copy.hasAttribute('hidden')) markHidden(box);
    if (frame.localName === 'iframe') copy.after(box);
    else top.append(box);
  };
  const copyOf = (source, depth, isBody = source.localName === 'body') => {
    const top = inert.importNode(source.nodeType === 11 ? source.ownerDocument.createDocumentFragment() : source, source.nodeType !== 11);
    if (source.nodeType === 11) for (const child of source.childNodes) top.append(inert.importNode(child, true));
    const later = [];
    const pending = [[source, top, !isBody && source.nodeType !== 11]];
    for (let pair = pending.pop(); pair; pair = pending.pop()) {
      const [element, copy, isDecided] = pair;
      const { localName } = element;
      let isBelowDecided = isDecided;
      if (localName === 'body') isBelowDecided = false;
      else if (UNMARKED.has(localName)) isBelowDecided = true;
      else if (!isDecided && element !== source) {
        if (element.checkVisibility({ visibilityProperty: true })) {
          if (copy.hasAttribute('hidden') && getComputedStyle(element).contentVisibility !== 'hidden') copy.removeAttribute('hidden');
          copy.removeAttribute('popover');
        } else if (isHidden(element)) {
          markHidden(copy);
          isBelowDecided = true;
        }
      }
      if (nodes && copy.nodeType === 1) copy.setAttribute('${NODE_MARK}', nodes.push(element) - 1);
      if (localName === 'noscript') later.push(() => copy.remove());
      if (element.shadowRoot && roots++ < ROOTS_MAX)
        later.push(() => copy.prepend(boxOf('data-shadow', element.shadowRoot.mode, copyOf(element.shadowRoot, depth))));
      if (localName === 'iframe' || localName === 'frame') later.push(() => frameBox(element, copy, depth, top));
      for (let a = element.lastElementChild, b = copy.lastElementChild; a && b; a = a.previousElementSibling, b = b.previousElementSibling)
        pending.push([a, b, isBelowDecided]);
    }
    for (const change of later) change();
    return top;
  };
  const root = document.documentElement;
  if (!root) return { contentType: document.contentType, parts: [] };
  // Entities that it declares are in the text by now.
  const doctype = document.doctype ? new XMLSerializer().serializeToString(document.doctype).replace(/\s*\[.*\]\s*(?=>$)/s, '') : '';
  const copy = copyOf(root, 0);
  // What an HTML parser makes of the declarations in a DOCTYPE ends up as the first text of the body.
  const first = copy.querySelector('body')?.firstChild;
  if (document.doctype && first?.nodeType === 3) first.data = first.data.replace(/^\s*\]\s*>/, '');
  const parts = [doctype, copy.outerHTML];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length > charactersMax ? { contentType: document.contentType } : { contentType: document.contentType, parts };
}`;
