// Finds in one walk what a page marks, for people or machines, as its author and its dates.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import type { PageTree } from '../../html/tree.ts';
import { nodeAfter } from '../../html/walk.ts';

/** Elements of the body in document order. */
export interface ShownMarks {
  /** Marked as the author by their names; `isStated` where they say so to machines. */
  readonly authors: readonly { readonly element: Element; readonly isStated: boolean }[];
  /** Marked as a date by their names. */
  readonly dates: readonly Element[];
  /** `<time>`, and whatever is the `datePublished` of microdata. */
  readonly times: readonly Element[];
}

const AUTHOR_MARK =
  /(?:^|[-_\s])(?:author|byline|by-line|writer|posted-by|post-author|entry-author)(?:[-_]{1,2}(?:name|link|text|title|by))?(?:$|\s)/i;
const DATE_MARK =
  /(?:^|[-_\s])(?:date|pub-?date|published|publish-?date|posted|posted-on|timestamp|dateline|post-date|entry-date)(?:[-_]{1,2}(?:time|text|published|posted))?(?:$|\s)/i;
const AUTHOR_LINK = /(?:^|\s)author(?:\s|$)/i;
/** Names are looked at in the first elements only. */
const NAMED_ELEMENTS_MAX = 50_000;
const NAMES_MAX = 300;

/** Trees never change, so a page is walked once for author and dates. */
const known = new WeakMap<PageTree, ShownMarks>();

/** The marks of a page. */
export function shownMarksOf(tree: PageTree): ShownMarks {
  let marks = known.get(tree);
  if (!marks) known.set(tree, (marks = findMarks(tree)));
  return marks;
}

/** The names that authors of pages give an element: its classes, its id, the name that tests know it by. */
export function namesOf({ attribs }: Element): string {
  return `${attribs['class'] ?? ''} ${attribs['id'] ?? ''} ${attribs['data-testid'] ?? ''}`.slice(0, NAMES_MAX);
}

function findMarks(tree: PageTree): ShownMarks {
  const marked = findMarked(tree.body);
  return {
    authors: marked
      .map((element) => ({ element, isStated: statesAuthor(element) }))
      .filter(({ element, isStated }) => isStated || namesAuthor(element)),
    dates: marked.filter(namesDate),
    times: marked.filter(isTime),
  };
}

/** Every element with a mark of any kind. */
function findMarked(body: Element): readonly Element[] {
  const marked: Element[] = [];
  const named = new NamedMarks();
  let count = 0;
  for (let node: AnyNode | null = body.children[0] ?? null; node; node = nodeAfter(node, body))
    if (isTag(node) && (isTime(node) || (++count <= NAMED_ELEMENTS_MAX && (statesAuthor(node) || named.has(node))))) marked.push(node);
  return marked;
}

function isTime({ name, attribs }: Element): boolean {
  return name === 'time' || attribs['itemprop'] === 'datePublished';
}

function statesAuthor({ attribs }: Element): boolean {
  return attribs['itemprop'] === 'author' || (attribs['rel'] !== undefined && AUTHOR_LINK.test(attribs['rel']));
}

function namesAuthor(element: Element): boolean {
  return AUTHOR_MARK.test(namesOf(element));
}

function namesDate(element: Element): boolean {
  return DATE_MARK.test(namesOf(element));
}

/** Knows which elements are marked by their names; the same classes come again and again on a page. */
class NamedMarks {
  private readonly byClass = new Map<string, boolean>();

  has(element: Element): boolean {
    const { class: classes, id, 'data-testid': testId } = element.attribs;
    if (id !== undefined || testId !== undefined) return isMarked(element);
    if (classes === undefined) return false;
    let known = this.byClass.get(classes);
    if (known === undefined) this.byClass.set(classes, (known = isMarked(element)));
    return known;
  }
}

function isMarked(element: Element): boolean {
  return namesAuthor(element) || namesDate(element);
}
