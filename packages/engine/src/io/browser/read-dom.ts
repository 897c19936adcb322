// Reads the DOM of an open page as HTML, from a world that the page's own scripts can't reach.
import type { CDPSession } from 'playwright-core';
import { PageError } from '../../errors.ts';
import { within } from './deadline.ts';
import type { Budget } from './deadline.ts';

/** A page's DOM at one moment. */
export interface ReadDom {
  /** What the browser took the document for. */
  readonly contentType: string;
  /** With what open shadow roots hold in a `<div data-shadow>` inside their host, and what same-origin frames hold in a `<div data-frame>` behind them. */
  readonly html: string;
}

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
  if (!read.parts)
    throw new PageError(
      'body_too_large',
      `The rendered page has more than ${charactersMax.toLocaleString('en')} characters. Raise the limit.`,
    );
  return { contentType: read.contentType, html: read.parts.join('') };
}

/**
 * Runs in the page, in one go, so that nothing changes under it. A frame's text goes behind its element, where a comment with a mark
 * that no page can know stands in the live DOM for this moment.
 */
const READ_DOCUMENT = String.raw`(charactersMax) => {
  const FRAMES_MAX = 50, DEPTH_MAX = 3, ROOTS_MAX = 20000;
  const mark = 'frame-' + crypto.getRandomValues(new Uint32Array(4)).join('-') + '-';
  let frames = 0;
  const documentOf = (frame) => { try { return frame.contentDocument; } catch { return null; } };
  const rootsIn = (node, found) => {
    for (const element of node.querySelectorAll('*')) {
      if (found.length >= ROOTS_MAX) break;
      if (element.shadowRoot) { found.push(element.shadowRoot); rootsIn(element.shadowRoot, found); }
    }
    return found;
  };
  // A declarative shadow root is a template, whose content no selector sees; the parser that reads this makes none of them live.
  const unfold = (scope) => {
    for (const template of scope.querySelectorAll('template[shadowrootmode]')) {
      const box = template.ownerDocument.createElement('div');
      box.setAttribute('data-shadow', template.getAttribute('shadowrootmode'));
      unfold(template.content);
      box.append(template.content);
      template.replaceWith(box);
    }
  };
  const flattened = (html, element) => {
    const parsed = new DOMParser().parseFromString((document.doctype ? '<!doctype html>' : '') + html, 'text/html');
    unfold(parsed);
    return element.localName === 'body' ? parsed.body.innerHTML : parsed.documentElement.innerHTML;
  };
  const inside = (doc, element, depth) => {
    const shadowRoots = rootsIn(doc, []);
    const inlined = [], comments = [];
    if (depth < DEPTH_MAX)
      for (const scope of [doc, ...shadowRoots])
        for (const frame of scope.querySelectorAll('iframe, frame')) {
          const held = documentOf(frame);
          if (!held?.body || frames >= FRAMES_MAX || held.body.childNodes.length === 0) continue;
          frames += 1;
          const comment = doc.createComment(mark + inlined.length + '-' + depth);
          inlined.push([comment.data, frame, held]);
          if (frame.localName === 'iframe') { frame.after(comment); comments.push(comment); }
        }
    let html = element.getHTML({ serializableShadowRoots: true, shadowRoots });
    for (const comment of comments) comment.remove();
    if (shadowRoots.length > 0) html = flattened(html, element);
    for (const [name, frame, held] of inlined) {
      const box = held.createElement('div');
      box.setAttribute('data-frame', frame.src || held.URL);
      const text = box.outerHTML.replace('</div>', '') + inside(held, held.body, depth + 1) + '</div>';
      html = html.includes(name) ? html.replace('<!--' + name + '-->', () => text) : html + text;
    }
    return html;
  };
  const root = document.documentElement;
  if (!root) return { contentType: document.contentType, parts: [] };
  const shell = root.cloneNode(false).outerHTML;
  const end = shell.lastIndexOf('</');
  const doctype = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '';
  const parts = [doctype, end < 0 ? shell : shell.slice(0, end), inside(document, root, 0), end < 0 ? '' : shell.slice(end)];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return length > charactersMax ? { contentType: document.contentType } : { contentType: document.contentType, parts };
}`;
