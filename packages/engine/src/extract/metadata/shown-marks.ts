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

function findMarks({ body }: PageTree): ShownMarks {
  const authors: { element: Element; isStated: boolean }[] = [];
  const dates: Element[] = [];
  const times: Element[] = [];
  const judge = new NameJudge();
  let count = 0;
  for (let node: AnyNode | null = body.children[0] ?? null; node; node = nodeAfter(node, body)) {
    if (!isTag(node)) continue;
    const { rel, itemprop } = node.attribs;
    if (node.name === 'time' || itemprop === 'datePublished') times.push(node);
    if (++count > NAMED_ELEMENTS_MAX) continue;
    const { isAuthor, isDate } = judge.verdictOn(node);
    const isStated = itemprop === 'author' || (rel !== undefined && AUTHOR_LINK.test(rel));
    if (isStated || isAuthor) authors.push({ element: node, isStated });
    if (isDate) dates.push(node);
  }
  return { authors, dates, times };
}

interface Verdict {
  readonly isAuthor: boolean;
  readonly isDate: boolean;
}

const NEITHER: Verdict = { isAuthor: false, isDate: false };

/** Judges the names of elements; the same classes come again and again on a page. */
class NameJudge {
  readonly #byClass = new Map<string, Verdict>();

  verdictOn(element: Element): Verdict {
    const { class: classes, id, 'data-testid': testId } = element.attribs;
    if (id !== undefined || testId !== undefined) return judgeNames(namesOf(element));
    if (classes === undefined) return NEITHER;
    let verdict = this.#byClass.get(classes);
    if (!verdict) this.#byClass.set(classes, (verdict = judgeNames(namesOf(element))));
    return verdict;
  }
}

function judgeNames(names: string): Verdict {
  return { isAuthor: AUTHOR_MARK.test(names), isDate: DATE_MARK.test(names) };
}
