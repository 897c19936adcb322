// Parses a page once into the tree that Chrome would build, and bounds it before anything else looks at it.
import { parse } from 'parse5';
import { takeSigns, treeAdapter } from './tree-adapter.ts';
import type { AnyNode, Document, Element, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';
import { PageError } from '../errors.ts';
import { requireBoundedMarkup } from './bounds.ts';
import { markHidden } from './hidden.ts';
import { withoutInternalSubset } from './internal-subset.ts';
import { isParent } from './walk.ts';

/** One parsed page. Every view reads it, none changes it. */
export interface PageTree {
  /** Where the page was found, after redirects. */
  readonly url: string;
  /** What relative addresses resolve against: `<base href>` if it is a valid http(s) URL, else `url`. */
  readonly baseUrl: string;
  readonly root: Document;
  readonly html: Element;
  readonly head: Element;
  /** `<body>`, or `<frameset>` on a page of frames. */
  readonly body: Element;
  /** The outermost nodes of what the page hides, in document order; empty when the page is read with all that is hidden. */
  readonly hidden: readonly AnyNode[];
  /** True for the elements of an XML document, whose names are as written and mean nothing of HTML. */
  readonly isXml?: boolean;
  /** For `findOnce` alone. */
  readonly findings: Findings;
}

/** What was found on a page before: with the tree, so that it is collected with it at once; a weak map would keep both through many collections. */
export type Findings = Map<symbol, unknown>;

/** What `find` finds on a page, which never changes: found once, whoever asks. A key belongs to one caller, and so to one type. */
export function findOnce<Found>(tree: PageTree, key: symbol, find: (tree: PageTree) => Found): Found {
  if (!tree.findings.has(key)) tree.findings.set(key, find(tree));
  return tree.findings.get(key) as Found;
}

/** How a page is to be read. */
export interface TreeOptions {
  /** Whether closed details and dialogs, folded panels and the like are read as if they were shown; default false. */
  readonly includeHidden?: boolean;
}

/** Elements below this depth are moved up to it, as Chrome does. */
export const TREE_DEPTH_MAX = 512;
/** A page with more nodes is refused with `page_too_complex`. */
export const TREE_NODES_MAX = 2_000_000;

/**
 * The tree of `html`, scripting off (so `<noscript>` is content). `url` is the page's final address.
 * Throws PageError `page_too_complex` above TREE_NODES_MAX nodes, and for markup that is not worth parsing.
 */
export function parseTree(html: string, url: string, options: TreeOptions = {}): PageTree {
  requireBoundedMarkup(html);
  takeSigns();
  const root = parse(withoutInternalSubset(html), { treeAdapter, scriptingEnabled: false, sourceCodeLocationInfo: false });
  boundTree(root);
  const htmlElement = requireChild(root, ['html']);
  const head = requireChild(htmlElement, ['head']);
  const body = requireChild(htmlElement, ['body', 'frameset']);
  const hidden = options.includeHidden === true ? [] : markHidden(body, takeSigns());
  return { url, baseUrl: baseUrlOf(root, html, url), root, html: htmlElement, head, body, hidden, findings: new Map() };
}

/** Counts nodes and flattens what is nested too deeply; iterative, so depth can't exhaust the stack. */
function boundTree(root: Document): void {
  let count = 0;
  let depth = 0;
  let node: AnyNode = root;
  for (;;) {
    if (++count > TREE_NODES_MAX) throw new PageError('page_too_complex', `The page has more than ${TREE_NODES_MAX} nodes.`);
    if (depth === TREE_DEPTH_MAX && isParent(node)) flatten(node);
    const child: AnyNode | undefined = isParent(node) && depth < TREE_DEPTH_MAX ? node.children[0] : undefined;
    if (child) {
      node = child;
      depth++;
      continue;
    }
    while (!node.next) {
      if (!node.parent) return;
      node = node.parent;
      depth--;
    }
    node = node.next;
  }
}

/** Makes every descendant of `parent` a child of it, in document order. */
function flatten(parent: ParentNode): void {
  const flat: AnyNode[] = [];
  const pending: AnyNode[] = [...parent.children].reverse();
  for (let node = pending.pop(); node; node = pending.pop()) {
    flat.push(node);
    if (flat.length > TREE_NODES_MAX) throw new PageError('page_too_complex', `The page has more than ${TREE_NODES_MAX} nodes.`);
    if (!('children' in node)) continue;
    for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i] as AnyNode);
    node.children = [];
  }
  flat.forEach((node, i) => {
    node.parent = parent;
    node.prev = (flat[i - 1] ?? null) as typeof node.prev;
    node.next = (flat[i + 1] ?? null) as typeof node.next;
  });
  parent.children = flat as typeof parent.children;
}

function requireChild(parent: ParentNode, names: readonly string[]): Element {
  const found = parent.children.find((node): node is Element => isTag(node) && names.includes(node.name));
  if (!found) throw new PageError('page_unreadable', `The parsed page has no <${names[0]}>.`);
  return found;
}

/** The first `<base>` with an href counts, wherever it stands, as in browsers. */
function baseUrlOf(root: Document, html: string, url: string): string {
  if (!/<base\b/i.test(html)) return url;
  const pending: AnyNode[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isTag(node) && node.name === 'base' && node.attribs['href'] !== undefined) {
      const resolved = URL.parse(node.attribs['href'], url);
      return resolved && /^https?:$/.test(resolved.protocol) ? resolved.href : url;
    }
    if ('children' in node) for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i] as AnyNode);
  }
  return url;
}
