// The page that a check reads, whatever its type: a tree for selectors, JSON for paths, text for everybody.
import type { AnyNode, Element } from 'domhandler';
import { PageError } from '../../errors.ts';
import { isHtmlBody, typeOf } from '../../extract/documents/body-kind.ts';
import { decodeText } from '../../extract/documents/decode.ts';
import { parseJsonText } from '../../extract/documents/json.ts';
import { textOfDocument } from '../../extract/documents/plain-text.ts';
import type { AvailabilityEvidence } from '../../extract/availability/state.ts';
import type { DocumentKind, ReadableDocument } from '../../extract/documents/readable.ts';
import { readTitleElement } from '../../extract/metadata/metadata.ts';
import type { Product } from '../../extract/product/product.ts';
import { furnitureOf } from '../../extract/furniture.ts';
import { absoluteUrl } from '../../html/address.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { blockText } from '../../html/text.ts';
import type { PageTree } from '../../html/tree.ts';
import { parseTree } from '../../html/tree.ts';
import { Document } from '../../page/document.ts';
import type { DocumentSource } from '../../page/document.ts';
import { readOther } from '../../page/other-documents.ts';
import { canonicalJson } from './canonical-json.ts';
import { hashPicture, isPixels } from './pictures.ts';
import type { PagePictures } from './pictures.ts';
import { parseXmlTree, textOfXml } from './xml-tree.ts';

/** What a page is read as. */
export type PageKind = 'html' | DocumentKind | 'picture';

/** How a text is read. */
export interface TextForm {
  /** The addresses of links stand behind them. */
  readonly links?: boolean;
  /** White space counts. */
  readonly asWritten?: boolean;
}

/** What opening a page found. */
interface OpenedPage {
  readonly kind: PageKind;
  readonly source: DocumentSource;
  readonly json?: JsonValue;
  readonly other?: ReadableDocument;
  readonly xml?: PageTree | undefined;
  readonly picture?: string;
}

/** One page, opened once for everything that is read out of it. */
export class WatchedPage {
  readonly kind: PageKind;
  readonly source: DocumentSource;
  /** Of a JSON answer; `subtract` replaces it. */
  json: JsonValue | undefined;
  /** The perceptual hash of a picture. */
  readonly picture: string | undefined;
  private readonly other: ReadableDocument | undefined;
  private readonly xml: PageTree | undefined;
  /** Those that it shows. */
  readonly pictures: PagePictures;
  private made: Document | undefined;

  constructor({ kind, source, json, other, xml, picture }: OpenedPage, pictures: PagePictures) {
    this.pictures = pictures;
    this.kind = kind;
    this.source = source;
    this.json = json;
    this.other = other;
    this.xml = xml;
    this.picture = picture;
  }

  /** The page itself; of XML its elements, and of other documents their text in one block, in which a body, words and expressions are found. */
  get document(): Document {
    if (this.made) return this.made;
    if (this.kind === 'html') return (this.made = new Document(this.source));
    return (this.made = new TreeDocument(this.source, this.xml ?? treeOfText(this.text('page'), this.source.url)));
  }

  get tree(): PageTree {
    return this.document.tree;
  }

  get isXml(): boolean {
    return this.xml !== undefined;
  }

  get title(): string | undefined {
    return this.kind === 'html' ? readTitleElement(this.tree) || this.document.metadata.title : this.other?.title;
  }

  /** The language that it declares, as a BCP 47 tag; undefined where it declares none. */
  get language(): string | undefined {
    return this.kind === 'html' ? this.tree.html.attribs['lang']?.trim() || undefined : undefined;
  }

  /** What a page of HTML sells. */
  get product(): Product | undefined {
    return this.kind === 'html' ? this.document.product : undefined;
  }

  /** What its data states of whether its product can be bought; far cheaper than the product. */
  get stated(): readonly AvailabilityEvidence[] {
    return this.kind === 'html' ? this.document.statedAvailability : [];
  }

  /** What it shows, in lines; `main` differs from `page` in HTML alone. */
  text(scope: 'page' | 'main', how: TextForm = {}): string {
    if (this.json !== undefined) return canonicalJson(this.json);
    if (this.kind !== 'html') return this.textOfOther(how.links === true);
    if (how.links !== true && how.asWritten !== true) return this.document.text(scope);
    const { roots, excluded } =
      scope === 'main' ? this.document.content : { roots: [this.tree.body], excluded: furnitureOf(this.tree).nodes };
    return this.textOfNodes(roots, how, excluded);
  }

  /** What an element shows, likewise, without `excluded`. */
  textOf(element: Element, how: TextForm = {}, excluded: ReadonlySet<AnyNode> = new Set()): string {
    return this.isXml ? textOfXml(element) : this.textOfNodes([element], how, excluded);
  }

  private textOfNodes(nodes: readonly Element[], { links, asWritten }: TextForm, excluded: ReadonlySet<AnyNode>): string {
    return blockText(nodes, { excluded, asWritten: asWritten === true, ...(links === true ? { behind: this.addressOf } : {}) });
  }

  private textOfOther(links: boolean): string {
    if (!this.other) return this.picture === undefined ? '' : `Picture ${this.picture}`;
    const text = textOfDocument(this.other);
    return links ? [text, ...this.other.links.map(({ url }) => `<${url}>`)].join('\n') : text;
  }

  private readonly addressOf = (element: Element): string => {
    const url = element.name === 'a' ? absoluteUrl(element.attribs['href'], this.tree) : undefined;
    return url === undefined ? '' : `<${url}>`;
  };
}

/** Opens a page. Throws PageError for one that can't be read: JSON that is none, binary data, too many nodes. */
export async function openPage(source: DocumentSource, pictures: PagePictures): Promise<WatchedPage> {
  return new WatchedPage(await readOpened(source), pictures);
}

async function readOpened(source: DocumentSource): Promise<OpenedPage> {
  const { body, contentType, url } = source;
  if (body.length === 0 || isHtmlBody(body, contentType)) return { kind: 'html', source };
  const json = readJsonBody(source);
  if (json !== undefined) return { kind: 'json', source, json };
  if (isPixels(body)) return { kind: 'picture', source, picture: await hashPicture(body, url) };
  const other = await readOther(source);
  if (!other) return { kind: 'html', source };
  const isXml = other.kind === 'feed' || other.kind === 'xml';
  const xml = isXml ? await parseXmlTree(decodeText(body, contentType), url) : undefined;
  return { kind: other.kind, source, other, xml };
}

/** A document with a tree of its own instead of that of its bytes. */
class TreeDocument extends Document {
  private readonly own: PageTree;

  constructor(source: DocumentSource, own: PageTree) {
    super(source);
    this.own = own;
  }

  override get tree(): PageTree {
    return this.own;
  }
}

function treeOfText(text: string, url: string): PageTree {
  return parseTree(`<!doctype html><pre>\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`, url);
}

/** The value of a JSON answer; undefined for what neither is nor says that it is JSON. */
function readJsonBody({ body, contentType, url }: DocumentSource): JsonValue | undefined {
  const says = /[/+]json\b|ndjson|jsonl/.test(typeOf(contentType));
  if (!says && !/^(?:\xef\xbb\xbf)?\s*[[{]/.test(new TextDecoder('latin1').decode(body.subarray(0, 100)))) return undefined;
  const parsed = parseJsonText(decodeText(body, contentType));
  // A parser of JSON gives nothing but JSON.
  if (parsed) return requireShallow(parsed.value as JsonValue, url);
  if (!says) return undefined;
  const sentence = `${url} says that it answers JSON (${contentType}), and what it sent is none; nothing was compared. Look at the answer.`;
  throw new PageError('page_unreadable', sentence, { url });
}

/** JSON that nests too deeply to be written again can't be compared. */
function requireShallow(value: JsonValue, url: string): JsonValue {
  try {
    JSON.stringify(value);
    return value;
  } catch (cause) {
    throw new PageError('page_too_complex', `The JSON of ${url} nests too deeply to be read.`, { url, cause });
  }
}
