// What a page shows to a model that acts on it: lines of text with a short name for each element that it may point to. Plain data that crosses threads.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { assignControls, findForms } from '../../extract/forms/forms.ts';
import type { Form } from '../../extract/forms/forms.ts';
import { actOfAttribute } from '../../crawl/links/link-acts.ts';
import { decodeBody } from '../../html/encoding/decode.ts';
import { headingLevel, nameOf, readNameIndex, roleOf } from '../../html/selectors/accessible.ts';
import type { NameIndex } from '../../html/selectors/accessible.ts';
import { isFrameBox } from '../../html/selectors/roots.ts';
import { parseTree } from '../../html/tree.ts';
import type { PageTree } from '../../html/tree.ts';
import { elementsBelow, isParent, shownElementsBelow } from '../../html/walk.ts';
import { collapse } from '../../html/text.ts';
import { plainLine } from '../../model/untrusted.ts';
import { readRecords } from '../../page/page-data.ts';
import { PageDocument } from '../../page/page-document.ts';
import type { DocumentSource } from '../../page/page-document.ts';
import { describeElement } from '../../run/recording/element-selectors.ts';
import { placeOf } from './place-shown.ts';
import { listsOf } from './seen-lists.ts';
import type { SeenList } from './seen-lists.ts';
import { wordsOf } from './words-seen.ts';

/** A page, and which of its elements is about to be acted on. */
export interface SightRequest {
  readonly source: DocumentSource;
  /** Asks for the selectors of this element instead of the sight. */
  readonly selectorsOf?: string | undefined;
}

/** The form that an element belongs to, as far as it decides whether that may be sent. */
export type SeenForm = Pick<Form, 'type' | 'method' | 'action'> & {
  /** Whether it asks for something that is nobody's business, or that stays with the site: passwords, mail addresses, files, long texts. */
  readonly isPersonal: boolean;
};

/** An element that can be pointed to. */
export interface SeenElement {
  /** `e1`, `e2`, ... in document order; good for this sight alone. */
  readonly ref: string;
  readonly role: string;
  readonly name: string;
  /** Of a link: absolute, as it stands. */
  readonly href?: string;
  /** What it is to whoever fills it in; absent for what is only clicked. */
  readonly takes?: 'text' | 'choice';
  /** What can be chosen, as it is shown. */
  readonly options?: readonly string[];
  readonly form?: SeenForm;
  /** True for what sends its form by being clicked. */
  readonly sends?: boolean;
  /** Why its markup says that it changes something; absent where it says nothing. */
  readonly act?: string;
}

/** One page as it is shown. */
export interface Sight {
  readonly url: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly elements: readonly SeenElement[];
  readonly lists: readonly SeenList[];
  /** Every word that the page shows, in small letters, to a bound. */
  readonly words: readonly string[];
  /** Whether more was there than is shown. */
  readonly isCut: boolean;
}

/** One or the other, by what was asked for. */
export interface SightResult {
  readonly sight?: Sight;
  /** Each finds the element alone; empty where it is there no more. */
  readonly selectors?: readonly string[];
}

const ELEMENTS_MAX = 250;
const LINES_MAX = 500;
const LINE_CHARS = 240;
const NAME_CHARS = 100;
const OPTIONS_SHOWN = 60;
const TEXT_TYPES = new Set(['', 'text', 'search']);
const POINTED_ROLES = new Set(
  'button link tab menuitem option checkbox radio switch combobox searchbox textbox listbox treeitem'.split(' '),
);
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head', 'iframe', 'datalist']);

/** The sight of a page, or the selectors of one of its elements. Throws PageError for a page that can't be read. */
export function readSight({ source, selectorsOf }: SightRequest): SightResult {
  const tree = parseTree(decodeBody(source.body, source.contentType).html, source.url, { includeHidden: true });
  const reader = new SightReader(tree);
  reader.read();
  if (selectorsOf !== undefined) {
    const element = reader.elementOf(selectorsOf);
    return { selectors: element ? describeElement(element, tree).selectors : [] };
  }
  const lists = listsOf(readRecords(new PageDocument(source)));
  return { sight: { ...reader.sight(), lists } };
}

/** Goes through a page once, in document order. */
class SightReader {
  private readonly tree: PageTree;
  private readonly names: NameIndex;
  private readonly forms: ReadonlyMap<Element, SeenForm>;
  private readonly elements: SeenElement[] = [];
  private readonly nodes: Element[] = [];
  private readonly lines: string[] = [];
  private readonly texts: string[] = [];
  private text = '';
  private isCut = false;

  constructor(tree: PageTree) {
    this.tree = tree;
    this.names = readNameIndex(tree);
    this.forms = formsOf(tree);
  }

  sight(): Omit<Sight, 'lists'> {
    const title = this.tree.head.children.find((node): node is Element => isTag(node) && node.name === 'title');
    const shown = plainLine(title ? textBelow(title) : '', LINE_CHARS);
    const words = wordsOf([shown, ...this.texts, ...this.elements.flatMap(({ name, options = [] }) => [name, ...options])]);
    return { url: this.tree.url, title: shown, lines: this.lines, elements: this.elements, words, isCut: this.isCut };
  }

  elementOf(ref: string): Element | undefined {
    return this.nodes[this.elements.findIndex((element) => element.ref === ref)];
  }

  read(): void {
    // A stack of its own, so that depth can't exhaust the program's.
    const pending: AnyNode[] = [...this.tree.body.children].reverse();
    for (let node = pending.pop(); node; node = pending.pop()) {
      if (node.type === 'text') this.add(node.data);
      else if (isTag(node) && this.enter(node)) for (const child of [...node.children].reverse()) pending.push(child);
    }
    this.endLine();
  }

  /** Writes what an element is; whether to go on to what is in it. */
  private enter(element: Element): boolean {
    // What the browser does not show is marked in the copies that it gives; what is in a frame can't be pointed to from outside.
    if (element.attribs['hidden'] !== undefined || SILENT.has(element.name) || isFrameBox(element)) return false;
    const level = headingLevel(element);
    if (level !== undefined && roleOf(element) === 'heading') {
      this.endLine();
      this.texts.push(textBelow(element));
      if (!hasLink(element)) {
        this.line(`${'#'.repeat(level)} ${textBelow(element)}`);
        return false;
      }
      return true;
    }
    if (!isPointed(element)) {
      if (BLOCKS.has(element.name)) this.endLine();
      return isParent(element);
    }
    this.endLine();
    this.point(element);
    return false;
  }

  private point(element: Element): void {
    if (this.elements.length >= ELEMENTS_MAX) {
      this.isCut = true;
      return;
    }
    const seen = this.describe(element, `e${this.elements.length + 1}`);
    this.elements.push(seen);
    this.nodes.push(element);
    this.line(lineOf(seen));
  }

  private describe(element: Element, ref: string): SeenElement {
    const { name: tag, attribs } = element;
    const href = tag === 'a' || tag === 'area' ? URL.parse(attribs['href'] ?? '', this.tree.baseUrl)?.href : undefined;
    const form = this.forms.get(element);
    const options = tag === 'select' ? optionsOf(element) : undefined;
    const takes = takesOf(element);
    const act = Object.entries(attribs).flatMap(([name, value]) => actOfAttribute(name, () => value) ?? [])[0];
    return {
      ref,
      role: roleOf(element) ?? tag,
      name: plainLine(nameOf(element, this.names), NAME_CHARS),
      ...(href === undefined ? {} : { href }),
      ...(takes ? { takes } : {}),
      ...(options ? { options } : {}),
      ...(form ? { form } : {}),
      ...(sendsForm(element) ? { sends: true } : {}),
      ...(act === undefined ? {} : { act }),
    };
  }

  private add(text: string): void {
    const plain = collapse(text);
    if (plain !== '') this.text = this.text === '' ? plain : `${this.text} ${plain}`;
  }

  private endLine(): void {
    const { text } = this;
    this.text = '';
    if (text === '') return;
    this.texts.push(text);
    this.line(text);
  }

  private line(text: string): void {
    const line = plainLine(text, LINE_CHARS);
    if (line === '') return;
    if (this.lines.length < LINES_MAX) this.lines.push(line);
    else this.isCut = true;
  }
}

const BLOCKS = new Set(
  'address article aside blockquote body dd div dl dt fieldset figcaption figure footer form header hr li main nav ol p pre section table tbody td tfoot th thead tr ul br'.split(
    ' ',
  ),
);

/** `[e4] link "Next" /list?page=2`: what it is, what it says, where it leads. */
function lineOf({ ref, role, name, href, options, form, act }: SeenElement): string {
  const place = href === undefined ? '' : ` ${placeOf(href)}`.trimEnd();
  const among = options ? ` of: ${options.slice(0, OPTIONS_SHOWN).join(' | ')}` : '';
  return `[${ref}] ${role} "${name}"${place}${form ? ` in a ${form.type} form` : ''}${act === undefined ? '' : ' (changes something)'}${among}`;
}

function isPointed(element: Element): boolean {
  const { name, attribs } = element;
  if (name === 'input') return (attribs['type'] ?? '').toLowerCase() !== 'hidden';
  if (name === 'a') return attribs['href'] !== undefined || attribs['role'] !== undefined;
  if (/^(?:button|select|textarea|summary)$/.test(name)) return true;
  return attribs['role'] !== undefined && POINTED_ROLES.has(roleOf(element) ?? '');
}

function takesOf({ name, attribs }: Element): SeenElement['takes'] {
  if (name === 'select') return 'choice';
  return name === 'input' && TEXT_TYPES.has((attribs['type'] ?? '').toLowerCase()) ? 'text' : undefined;
}

function sendsForm({ name, attribs }: Element): boolean {
  const type = (attribs['type'] ?? '').toLowerCase();
  if (name === 'input') return type === 'submit' || type === 'image';
  return name === 'button' && type !== 'button' && type !== 'reset';
}

function optionsOf(select: Element): readonly string[] {
  const options = [...elementsBelow(select)].filter(({ name }) => name === 'option');
  return options.map((option) => plainLine(textBelow(option), NAME_CHARS)).filter((text) => text !== '');
}

/** The form of each control. */
function formsOf(tree: PageTree): ReadonlyMap<Element, SeenForm> {
  const elements = [...shownElementsBelow(tree.root)];
  const owned = assignControls(elements);
  const forms = findForms(tree);
  const places = elements.filter(({ name }) => name === 'form');
  return new Map(
    places.flatMap((place, at) => {
      const form = forms[at];
      if (!form) return [];
      const { type, method, action, fields } = form;
      const isPersonal = fields.some((field) => PERSONAL.has(field.control) || /^(?:password|email|message|username)/.test(field.type));
      return (owned.get(place) ?? []).map((control) => [control, { type, method, action, isPersonal }] as const);
    }),
  );
}

const PERSONAL = new Set(['password', 'file', 'email', 'tel', 'textarea']);

function hasLink(element: Element): boolean {
  for (const inner of elementsBelow(element)) if (isPointed(inner)) return true;
  return false;
}

function textBelow(top: Element): string {
  const texts: string[] = [];
  const pending: AnyNode[] = [...top.children].reverse();
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === 'text') texts.push(node.data);
    else if (isTag(node) && node.attribs['hidden'] === undefined && !SILENT.has(node.name)) pending.push(...[...node.children].reverse());
  }
  return collapse(texts.join(' '));
}
