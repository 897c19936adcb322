// Speaks to a page from a world of its own, which no script of the page can reach: hands over copies of its DOM and the nodes behind them.
import type { ElementHandle, Frame, Selectors } from 'playwright-core';
import { READ_DOCUMENT } from '../read-dom.ts';

/** A copy of a frame's document, in the words of read-dom.ts. */
export interface MarkedCopy {
  /** Which reading of this document it is; its nodes can be asked for until the next one. */
  readonly reading: number;
  readonly contentType: string;
  /** True when nothing has changed since the reading that was named: the copy of that one holds. */
  readonly isSame?: boolean;
  /** Undefined for a document that is too large, and for one that is the same. */
  readonly html?: string;
}

const NAME = 'weft';
const GONE = 'weft: the node is gone';

/** Registers what this module asks pages for, before the first context is opened. */
export async function registerPageWorld(selectors: Selectors): Promise<void> {
  // A program that starts a second browser has registered it with the first.
  registered ??= selectors.register(NAME, PAGE_WORLD, { contentScript: true });
  await registered;
}

let registered: Promise<void> | undefined;

/** The document of `frame` with those of its own origin inside it; every element says which node it is. `known` is a reading that may hold. */
export async function takeCopy(frame: Frame, charactersMax: number, timeoutMs: number, known: number | undefined): Promise<MarkedCopy> {
  const text = await frame.textContent(commandOf({ do: 'read', charactersMax, known }), { timeout: timeoutMs });
  // What PAGE_WORLD wrote.
  return JSON.parse(text ?? '') as MarkedCopy;
}

/** Which node of a copy is asked for. */
export interface NodeRequest {
  readonly reading: number;
  readonly id: number;
  /** True for one that is in a frame inside of the one that was read. */
  readonly isFramed: boolean;
  /** True for one that is of use only while the document is as it was read. */
  readonly mustBeSame: boolean;
  /** True for one that is of use only while it is shown. */
  readonly mustShow: boolean;
}

/** The node of a copy; undefined once it has left the page, or the document was read again. In the frame that it is in. */
export async function takeNode(frame: Frame, { isFramed, ...asked }: NodeRequest): Promise<ElementHandle | undefined> {
  const handle = await frame.$(commandOf({ do: 'node', ...asked }));
  if (!handle) return undefined;
  if (!isFramed) return handle;
  const owner = await handle.ownerFrame();
  if (!owner || owner === frame) return handle;
  const own = await owner.evaluateHandle((node) => node, handle);
  await handle.dispose();
  return own.asElement() ?? undefined;
}

/** For an act of Playwright's: finds the node as `takeNode`, but ends the act where it is not there. */
export function selectorOf({ isFramed: _isFramed, ...asked }: NodeRequest): string {
  return commandOf({ do: 'act', ...asked });
}

/** True for the error of an act whose node is not there. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && error.message.includes(GONE);
}

/** Elements of `frame` itself in which a secret shows: filled password boxes, and those that hold one of `values`. */
export async function takeSecretNodes(frame: Frame, values: readonly string[]): Promise<readonly ElementHandle[]> {
  return await frame.$$(commandOf({ do: 'secrets', values }));
}

/** Puts `mask` in the place of what `takeSecretNodes` would find; boxes are emptied. */
export async function maskSecretNodes(frame: Frame, values: readonly string[], mask: string): Promise<void> {
  await frame.$$(commandOf({ do: 'mask', values, mask }));
}

function commandOf(command: object): string {
  return `${NAME}=${encodeURIComponent(JSON.stringify(command))}`;
}

/** A selector engine of Playwright, which runs beside its own: an answer that is no node of the page stands as text in one that is nowhere. */
const PAGE_WORLD = String.raw`(() => {
  const readDocument = ${READ_DOCUMENT};
  const SHORT = 4, SECRETS_MAX = 200;
  let nodes = [], hosts = [], reading, hasChanged = true;
  // The elements that may get a shadow root (DOM, attachShadow), beside those of the page's own names.
  const HOSTS = new Set('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));
  const mayHost = ({ localName }) => HOSTS.has(localName) || localName.includes('-');
  // What is in shadow roots and frames changes unseen, and a shadow root comes unseen.
  const observer = new MutationObserver(() => { hasChanged = true; observer.disconnect(); });
  const isSame = (known) => {
    if (observer.takeRecords().length > 0) hasChanged = true;
    if (known !== reading || hasChanged) return false;
    return !document.querySelector('iframe, frame') && !hosts.some(({ shadowRoot }) => shadowRoot);
  };
  const say = (value) => {
    const holder = document.implementation.createHTMLDocument('').createElement('pre');
    holder.textContent = JSON.stringify(value);
    return [holder];
  };
  const elementsIn = function* (root) {
    for (const element of root.querySelectorAll('*')) {
      yield element;
      if (element.shadowRoot) yield* elementsIn(element.shadowRoot);
    }
  };
  const ownText = (element) => {
    let text = '';
    for (const child of element.childNodes) if (child.nodeType === 3) text += child.data;
    return text;
  };
  const shows = (text, values) => values.some((value) => (value.length < SHORT ? text === value : text.includes(value)));
  const isBox = ({ localName }) => localName === 'input' || localName === 'textarea';
  const isSecret = (element, values) =>
    isBox(element) ? (element.type === 'password' && element.value !== '') || shows(element.value, values) : shows(ownText(element), values);
  const commands = {
    read({ charactersMax, known }) {
      if (isSame(known)) return say({ reading, isSame: true });
      nodes = [];
      // No two documents share one.
      reading = Math.random();
      hasChanged = false;
      observer.disconnect();
      observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      const { contentType, parts } = readDocument(charactersMax, nodes);
      hosts = [...document.getElementsByTagName('*')].filter(mayHost);
      return say({ reading, contentType, html: parts?.join('') });
    },
    node(asked) {
      const node = asked.reading === reading ? nodes[asked.id] : undefined;
      if (!node?.isConnected || (asked.mustBeSame && !isSame(reading))) return [];
      return asked.mustShow && !node.checkVisibility() && getComputedStyle(node).display !== 'contents' ? [] : [node];
    },
    act(asked) {
      const found = commands.node(asked);
      if (found.length === 0) throw new Error('${GONE}');
      return found;
    },
    secrets({ values }) {
      const found = [];
      for (const element of elementsIn(document)) if (isSecret(element, values) && found.length < SECRETS_MAX) found.push(element);
      return found;
    },
    mask({ values, mask }) {
      const long = values.filter((value) => value.length >= SHORT);
      for (const element of elementsIn(document)) {
        if (!isSecret(element, values)) continue;
        if (isBox(element)) element.value = '';
        const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === 3);
        for (const text of texts) text.data = long.reduce((all, value) => all.replaceAll(value, mask), text.data);
        // What runs over several texts, and short values, which are the whole of one.
        if (shows(ownText(element), values)) for (const text of texts) text.data = mask;
      }
      return [];
    },
  };
  const queryAll = (root, body) => {
    const command = JSON.parse(decodeURIComponent(body));
    return commands[command.do](command);
  };
  return { queryAll, query: (root, body) => queryAll(root, body)[0] };
})()`;
