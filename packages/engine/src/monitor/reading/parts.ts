// What a selector points at on the page of a check: elements and values, and what each says.
import type { AnyNode, Element } from 'domhandler';
import { isUnshown, isWithinHidden } from '../../html/hidden.ts';
import type { JsonValue } from '../../html/loose-json.ts';
import { matchJsonPath, readEmbeddedJson } from '../../html/selectors/json.ts';
import { ownValueOf } from '../../html/selectors/resolve.ts';
import { linesOf } from '../../html/selectors/text.ts';
import type { PageTree } from '../../html/tree.ts';
import { findOnce } from '../../html/tree.ts';
import { elementsBelow } from '../../html/walk.ts';
import { canonicalJson } from './canonical-json.ts';
import type { LineFilter } from './text-filter.ts';
import type { WatchedPage } from './watched-page.ts';

/** More matches are counted and not read. */
export const PARTS_MAX = 10_000;
/** Characters that are read of one selector, in the match that passes the limit to its end; matches may hold one another. */
const CHARS_MAX = 5_000_000;

/** What was read of one selector, and what may still be. */
export class ReadingTally {
  /** Lines and places that were ignored. */
  ignored = 0;
  private left = CHARS_MAX;

  /** `read()`, or '' once nothing more may be read. */
  take(read: () => string): string {
    if (this.left <= 0) return '';
    const text = read();
    // Elements without text cost their reading, too.
    this.left -= text.length + 1;
    return text;
  }

  get isUsedUp(): boolean {
    return this.left <= 0;
  }
}

/** Where a part was found, and how it is read. */
export interface PartContext {
  readonly page: WatchedPage;
  readonly filter: LineFilter;
  readonly tally: ReadingTally;
}

/** One thing that a selector points at: an element, or a value. */
export class FoundPart {
  readonly element: Element | undefined;
  readonly value: JsonValue | undefined;
  private readonly context: PartContext;
  private shown: string | undefined;
  private stripped: string | undefined;

  constructor(of: { readonly element: Element } | { readonly value: JsonValue }, context: PartContext) {
    this.element = 'element' in of ? of.element : undefined;
    this.value = 'value' in of ? of.value : undefined;
    this.context = context;
  }

  /** What it says, in lines; '' for a picture, and for what the page hides. */
  get text(): string {
    return (this.shown ??= this.context.tally.take(() => this.read().toWellFormed()));
  }

  /** `text` without what is ignored. */
  get kept(): string {
    return (this.stripped ??= this.strip());
  }

  /** `kept` without what is struck out, such as an old price, unless nothing else has a figure. */
  get current(): string {
    const { element } = this;
    const struck = element ? struckIn(this.context.page.tree) : NONE;
    if (!element || struck.size === 0 || this.kept === '') return this.kept;
    const { page, filter, tally } = this.context;
    const rest = filter.strip(tally.take(() => page.textOf(element, filter.form, struck))).text;
    return /\d/.test(rest) ? rest : this.kept;
  }

  get isHidden(): boolean {
    return this.element !== undefined && isWithinHidden(this.element);
  }

  private strip(): string {
    const { filter, tally } = this.context;
    const { text, ignored } = filter.strip(this.text);
    tally.ignored += ignored;
    return text;
  }

  private read(): string {
    const { page, filter } = this.context;
    if (this.element) {
      const own = page.isXml ? undefined : (ownValueOf(this.element) ?? unshownText(this.element));
      return own ?? (this.isHidden ? '' : page.textOf(this.element, filter.form));
    }
    if (this.value === undefined) return '';
    return typeof this.value === 'string' ? this.value : canonicalJson(this.value);
  }
}

/** Of an option or a text field, which no page shows as text, and which somebody has selected all the same. */
function unshownText(element: Element): string | undefined {
  return isUnshown(element) ? linesOf(element) : undefined;
}

const NONE: ReadonlySet<AnyNode> = new Set();
const STRUCK_NAMES = new Set(['del', 's', 'strike']);
const STRUCK = Symbol('struck out');

/** The elements of a page that are struck out. */
function struckIn(tree: PageTree): ReadonlySet<AnyNode> {
  return findOnce(tree, STRUCK, ({ root }) => new Set([...elementsBelow(root)].filter(({ name }) => STRUCK_NAMES.has(name))));
}

/** What a JSONPath finds in a JSON answer, else in the first JSON of the page, or that it fetched, in which it finds anything. */
export function valuesAt(path: string, page: WatchedPage): readonly JsonValue[] {
  for (const value of jsonOf(page)) {
    const found = matchJsonPath(path, value);
    if (found.length > 0) return found;
  }
  return [];
}

function* jsonOf(page: WatchedPage): Generator<JsonValue> {
  if (page.json !== undefined) yield page.json;
  if (page.kind !== 'html') return;
  for (const { value } of readEmbeddedJson(page.tree)) yield value;
  // What a page fetched was parsed as JSON.
  for (const { json } of page.source.xhr ?? []) yield json as JsonValue;
}
