// Writes parts of a page as HTML again: as parsed, or cleaned of everything that acts, tracks or only decorates.
import type { AnyNode, Document, Element, ParentNode } from 'domhandler';
import { isTag } from 'domhandler';
import { Addresses } from './address.ts';
import { isHidden } from './hidden.ts';

/** Where the page was found and what of it is not wanted. */
export interface CleanHtmlOptions {
  /** What the addresses of the page resolve against. */
  readonly baseUrl: string;
  /** Nodes to leave out, with everything below them. */
  readonly excluded?: ReadonlySet<AnyNode>;
}

/** Elements that stay; the content of any other stays without it, except for what DROPPED names. */
const KEPT = new Set(
  (
    'a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup data dd del details dfn div dl dt em figcaption ' +
    'figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark nav ol p picture pre q rp rt ruby s samp section small ' +
    'source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr ' +
    // MathML Core, section 2, and what its drafts had before
    'math annotation mi mn mo mtext ms mspace mrow mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts ' +
    'mtable mtr mtd mlabeledtr mstyle mpadded mphantom merror menclose mfenced semantics'
  ).split(' '),
);
const DROPPED = new Set(
  (
    'script style template head title meta link base noembed noframes iframe frame object embed applet audio video svg canvas select annotation-xml ' +
    'datalist textarea input map area param track'
  ).split(' '),
);
const VOID = new Set('br col hr img source wbr'.split(' '));
const ATTRIBUTES = new Set(
  'alt alttext abbr align cite colspan datetime dir display encoding headers height href id lang media open reversed rowspan scope src srcset start title type value width'.split(
    ' ',
  ),
);
const ADDRESSES = new Set(['href', 'src', 'cite']);
const LANGUAGE_CLASS = /(?:^|\s)((?:language|lang)-[\w+#.-]+)/;

/**
 * The HTML of `nodes` in order without scripts, styles, forms, frames, drawings, comments and event handlers; only attributes that
 * carry meaning stay, addresses are absolute, and a link that runs code loses its address. Reads the tree only.
 */
export function cleanHtml(nodes: readonly AnyNode[], options: CleanHtmlOptions): string {
  const parts: string[] = [];
  const addresses = new Addresses(options.baseUrl);
  const visit = (node: AnyNode): void => {
    if (isHidden(node) || options.excluded?.has(node)) return;
    if (node.type === 'text') parts.push(escapeText(node.data));
    else if (isTag(node)) visitElement(node);
    else if (isDocument(node)) node.children.forEach(visit);
  };
  const visitElement = (element: Element): void => {
    const { name } = element;
    if (DROPPED.has(name)) return;
    const isKept = KEPT.has(name);
    if (isKept) parts.push(`<${name}${attributesOf(element, addresses)}>`);
    if (VOID.has(name)) return;
    element.children.forEach(visit);
    if (isKept) parts.push(`</${name}>`);
  };
  nodes.forEach(visit);
  return parts.join('');
}

function isDocument(node: AnyNode | ParentNode): node is Document {
  return node.type === 'root';
}

function attributesOf(element: Element, addresses: Addresses): string {
  let text = '';
  for (const name in element.attribs) {
    if (!ATTRIBUTES.has(name)) continue;
    const value = cleanValue(name, element.attribs[name] ?? '', addresses);
    if (value !== undefined) text += ` ${name}="${escapeAttribute(value)}"`;
  }
  const language = LANGUAGE_CLASS.exec(element.attribs['class'] ?? '')?.[1];
  return language === undefined ? text : `${text} class="${escapeAttribute(language)}"`;
}

function cleanValue(name: string, value: string, addresses: Addresses): string | undefined {
  if (name === 'srcset') return absoluteSources(value, addresses);
  return ADDRESSES.has(name) ? addresses.resolve(value.trim()) : value;
}

/** Each candidate of a `srcset` (HTML, section 4.8.4.2.1) with an absolute address; those that can't be resolved are left out. */
function absoluteSources(srcset: string, addresses: Addresses): string | undefined {
  const candidates = srcset.split(/,\s+/).flatMap((candidate) => {
    const [source = '', ...descriptors] = candidate.trim().split(/\s+/);
    const address = source === '' ? undefined : addresses.resolve(source);
    return address === undefined ? [] : [[address, ...descriptors].join(' ')];
  });
  return candidates.length > 0 ? candidates.join(', ') : undefined;
}

function escapeText(text: string): string {
  return /[&<>\u00a0]/.test(text) ? text.replace(/[&<>\u00a0]/g, (char) => ENTITIES[char] ?? char) : text;
}

function escapeAttribute(text: string): string {
  return /[&<>"\u00a0]/.test(text) ? text.replace(/[&<>"\u00a0]/g, (char) => ENTITIES[char] ?? char) : text;
}

/** HTML, section 13.3: how the serialization algorithm escapes. */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\u00a0': '&nbsp;' };
