// Runs XPath 3.1 on the tree. Elements are in no namespace, so that `//svg` and `//li` mean what people write.
import type { IDomFacade, LexicalQualifiedName, Node, ResolvedQualifiedName } from 'fontoxpath';
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { PageError } from '../../errors.ts';
import { fontoxpath } from '../../late-packages.ts';
import type { PageTree } from '../tree.ts';
import { requireAtMost, requireNesting, selectorError, withoutQuoted } from './caps.ts';

/** What an expression finds: a node of the tree, or a value (an attribute's, or one that the expression computed). */
export type XPathMatch =
  | { readonly node: AnyNode }
  | { readonly value: string }
  | { readonly value: string; readonly owner: Element; readonly attribute: string };

const DESCENTS_MAX = 6;
/** `//*/ /*` pairs every element with all below it, and the engine sorts the pairs: minutes on a deep page. */
const WILDCARD_SEARCHES_MAX = 1;
const NESTING_MAX = 8;
const LOOPS_MAX = 2;
/** Numbers that all ranges (`1 to 5`) may stand for together: what loops over numbers looks at no node, so no count of steps ends it. */
const RANGE_MAX = 1_000;
/** Looks at a node. A search through a page of 60,000 nodes takes some 300,000; a page paired with itself, billions. */
const STEPS_MAX = 5_000_000;
const XLINK = 'http://www.w3.org/1999/xlink';
const FUNCTIONS = 'http://www.w3.org/2005/xpath-functions';
/**
 * Functions that only look at the page. Left out on purpose: those that read documents or the environment (`doc`, `collection`,
 * `unparsed-text`), that run user patterns on a backtracking engine (`replace`, `tokenize`), or that build functions.
 */
const ALLOWED = new Set(
  `abs avg boolean ceiling codepoints-to-string compare concat contains contains-token count data deep-equal distinct-values empty
  ends-with exactly-one exists false floor has-children head index-of innermost insert-before lang last local-name lower-case matches max
  min name namespace-uri node-name normalize-space normalize-unicode not number one-or-more outermost path position remove reverse root
  round starts-with string string-join string-length string-to-codepoints subsequence substring substring-after substring-before sum tail
  translate true unordered upper-case zero-or-one`.split(/\s+/),
);

/** Prefixes that pages and people use, all standing for no namespace. */
const PLAIN_PREFIXES = new Set(['', 'html', 'xhtml', 'h', 'x', 'svg', 'math']);

/** Throws PageError `selector` unless `expression` is XPath that is bounded and uses allowed functions only. */
export function checkXPath(expression: string): void {
  requireNesting(expression, NESTING_MAX);
  requireAtMost(expression, /\/\/|descendant|ancestor|preceding|following/g, DESCENTS_MAX, 'searches through the whole page (`//`)');
  requireAtMost(
    expression,
    /(?:\/\/|(?:descendant|ancestor|preceding|following)(?:-or-self)?::)\s*(?:\*|node\()/g,
    WILDCARD_SEARCHES_MAX,
    'searches for any element (`//*`)',
  );
  requireAtMost(expression, /\b(?:for|some|every|let)\b\s*\$|,\s*\$[\w.-]+\s*(?:in\b|:=)|!(?!=)/g, LOOPS_MAX, 'loops');
  requireShortRanges(expression);
  try {
    fontoxpath().getBucketForSelector(expression);
  } catch (cause) {
    throw selectorError(expression, 'is not valid XPath; look for a bracket or a quote that is not closed.', cause);
  }
  // Compiled, so that unknown functions and variables show, but never evaluated: that may take long, and needs a page.
  run(expression, `if (false()) then (${expression}) else ()`, undefined, new TreeView(expression));
}

/** Throws unless every range is between two written numbers, and all of them together are short. */
function requireShortRanges(expression: string): void {
  const text = withoutQuoted(expression);
  let sum = 0;
  for (const { index } of text.matchAll(/(?<![\w.$@:/-])to(?![\w.:(-])/g)) {
    const first = /(\d+)\s*$/.exec(text.slice(0, index))?.[1];
    const last = /^to\s*(\d+)/.exec(text.slice(index))?.[1];
    sum += first === undefined || last === undefined ? Infinity : Math.max(0, Number(last) - Number(first) + 1);
  }
  if (sum > RANGE_MAX)
    throw selectorError(
      expression,
      `counts further than ${RANGE_MAX}: a range (\`to\`) stands between two written numbers, such as 1 to 5.`,
    );
}

/** What a checked expression finds, in the order of its result: document order for nodes. */
export function matchXPath(expression: string, tree: PageTree): readonly XPathMatch[] {
  const view = new TreeView(expression, tree.isXml === true);
  return run(expression, expression, view.wrap(tree.root), view).flatMap(readResult);
}

function run(expression: string, script: string, context: ViewNode | undefined, facade: IDomFacade): readonly unknown[] {
  const { evaluateXPath } = fontoxpath();
  try {
    return evaluateXPath(script, context, facade, null, evaluateXPath.ALL_RESULTS_TYPE, {
      language: evaluateXPath.XPATH_3_1_LANGUAGE,
      namespaceResolver: resolveNamespace,
      functionNameResolver: (name) => resolveFunction(name, expression),
    });
  } catch (cause) {
    if (cause instanceof PageError) throw cause;
    throw selectorError(expression, `can't be run as XPath: ${firstLine(cause)}`, cause);
  }
}

function firstLine(cause: unknown): string {
  const message = (cause instanceof Error ? cause.message : '').split('\n')[0]?.slice(0, 200) ?? '';
  return message === '' ? 'it has no meaning here.' : message.endsWith('.') ? message : `${message}.`;
}

function resolveNamespace(prefix: string): string {
  if (prefix === 'xlink') return XLINK;
  // A prefix that nobody declares here is that of the elements of an XML document which are written with it.
  return PLAIN_PREFIXES.has(prefix) ? '' : prefix;
}

function resolveFunction({ prefix, localName }: LexicalQualifiedName, expression: string): ResolvedQualifiedName {
  if ((prefix === '' || prefix === 'fn') && ALLOWED.has(localName)) return { namespaceURI: FUNCTIONS, localName };
  const name = prefix === '' ? localName : `${prefix}:${localName}`;
  throw selectorError(
    expression,
    `calls ${name}(), which is not offered: XPath here only reads the page; \`regex/\` selectors take patterns.`,
  );
}

function readResult(result: unknown): readonly XPathMatch[] {
  if (result instanceof ViewNode) return result.source ? [{ node: result.source }] : [{ value: result.value, ...ownerOf(result) }];
  if (Array.isArray(result)) return result.flatMap(readResult);
  if (typeof result === 'string' || typeof result === 'number' || typeof result === 'boolean') return [{ value: String(result) }];
  return [];
}

function ownerOf({ owner, localName }: ViewNode): { readonly owner?: Element; readonly attribute?: string } {
  return owner ? { owner, attribute: localName } : {};
}

/** A node as the XPath engine wants it; an attribute has no `source` but an `owner`. */
class ViewNode {
  readonly nodeType: number;
  readonly localName: string;
  readonly prefix: string | null;
  readonly namespaceURI: string | null;
  readonly value: string;
  readonly source: AnyNode | undefined;
  readonly owner: Element | undefined;
  /** Undefined until it was asked for. */
  parent: ViewNode | null | undefined;

  constructor(nodeType: number, name: string, value: string, source: AnyNode | undefined, owner: Element | undefined, prefix = '') {
    const isLinked = owner?.['x-attribsPrefix']?.[name] === 'xlink';
    this.nodeType = nodeType;
    this.localName = name;
    this.prefix = isLinked ? 'xlink' : prefix;
    this.namespaceURI = isLinked ? XLINK : resolveNamespace(prefix) || null;
    this.value = value;
    this.source = source;
    this.owner = owner;
  }

  get nodeName(): string {
    return this.prefix ? `${this.prefix}:${this.localName}` : this.localName;
  }

  get name(): string {
    return this.nodeName;
  }

  get data(): string {
    return this.value;
  }
}

/** Shows the tree to the XPath engine: one ViewNode for each node that it looks at, the same one each time. */
class TreeView implements IDomFacade {
  private readonly views = new Map<AnyNode, ViewNode>();
  private readonly children = new Map<ViewNode, ViewNode[]>();
  private readonly attributes = new Map<Element, ViewNode[]>();
  private readonly expression: string;
  private readonly isXml: boolean;
  private stepsLeft = STEPS_MAX;

  constructor(expression: string, isXml = false) {
    this.expression = expression;
    this.isXml = isXml;
  }

  wrap(node: AnyNode): ViewNode {
    this.step();
    const known = this.views.get(node);
    if (known) return known;
    const name = isTag(node) ? node.name : '';
    const colon = this.isXml ? name.indexOf(':') : -1;
    const text = 'data' in node ? node.data : '';
    const view = new ViewNode(typeOf(node), name.slice(colon + 1), text, node, undefined, name.slice(0, Math.max(0, colon)));
    this.views.set(node, view);
    return view;
  }

  /** Kept, because the engine sorts its results by climbing to the root from each. */
  getParentNode(node: Node): ViewNode | null {
    this.step();
    const view = requireView(node);
    if (view.parent === undefined) view.parent = this.parentOf(view);
    return view.parent;
  }

  private parentOf({ owner, source }: ViewNode): ViewNode | null {
    const parent = owner ?? source?.parent;
    return parent ? this.wrap(parent) : null;
  }

  getChildNodes(node: Node): ViewNode[] {
    this.step();
    const view = requireView(node);
    const known = this.children.get(view);
    if (known) return known;
    const children = childrenOf(view.source)
      .filter(isShown)
      .map((child) => this.wrap(child));
    this.children.set(view, children);
    return children;
  }

  getFirstChild(node: Node): ViewNode | null {
    return this.firstShown(childrenOf(requireView(node).source)[0] ?? null, 'next');
  }

  getLastChild(node: Node): ViewNode | null {
    return this.firstShown(childrenOf(requireView(node).source).at(-1) ?? null, 'prev');
  }

  getNextSibling(node: Node): ViewNode | null {
    return this.firstShown(requireView(node).source?.next ?? null, 'next');
  }

  getPreviousSibling(node: Node): ViewNode | null {
    return this.firstShown(requireView(node).source?.prev ?? null, 'prev');
  }

  private firstShown(from: AnyNode | null, direction: 'next' | 'prev'): ViewNode | null {
    for (let at = from; at; at = at[direction]) if (isShown(at)) return this.wrap(at);
    return null;
  }

  getAllAttributes(node: Node): ViewNode[] {
    const source = requireView(node).source;
    if (!source || !isTag(source)) return [];
    const known = this.attributes.get(source);
    if (known) return known;
    const views = Object.entries(source.attribs).map(([name, value]) => new ViewNode(2, name, value, undefined, source));
    this.attributes.set(source, views);
    return views;
  }

  getAttribute(node: Node, name: string): string | null {
    const source = requireView(node).source;
    return source && isTag(source) ? (source.attribs[name] ?? null) : null;
  }

  getData(node: Node): string {
    this.step();
    return requireView(node).value;
  }

  /** Throws when the expression has looked at more nodes than any search needs. */
  private step(): void {
    if (--this.stepsLeft < 0)
      throw selectorError(
        this.expression,
        `takes more than ${STEPS_MAX} steps on this page; search below a named element, and for less at once.`,
      );
  }
}

/** The engine only hands back nodes that a TreeView gave to it. */
function requireView(node: Node): ViewNode {
  if (node instanceof ViewNode) return node;
  throw new PageError('internal', 'The XPath engine asked for a node that is not of this page.');
}

function typeOf(node: AnyNode): number {
  if (isTag(node)) return 1;
  return node.type === 'text' ? 3 : node.type === 'comment' ? 8 : 9;
}

function childrenOf(node: AnyNode | undefined): readonly AnyNode[] {
  return node && 'children' in node && !(isTag(node) && node.name === 'template') ? node.children : [];
}

/** Document types and the insides of templates are no part of the XPath data model. */
function isShown(node: AnyNode): boolean {
  return isTag(node) || node.type === 'text' || node.type === 'comment';
}
