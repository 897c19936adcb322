// Finds author and date where a page only shows them to people: in the byline, marked by its names.
import type { Element } from 'domhandler';
import { textOf } from '../../html/selectors/text.ts';
import { collapse } from '../../html/text.ts';
import { ancestorNamed, elementsBelow } from '../../html/walk.ts';
import type { PageTree } from '../../html/tree.ts';
import { parseDate } from './dates.ts';
import { namesOf, shownMarksOf } from './shown-marks.ts';

/** Comments and teasers of other articles have bylines too. */
const FOREIGN_MARK = /comment|related|recommend|sidebar|widget|popular|recent|footer|reply|teaser|card/i;
const NAME_CHARACTERS_MAX = 60;

/** A name without `by` and what follows it; empty where the text is no name. */
export function personName(text: string): string {
  return collapse(
    text.replace(/^\s*(?:(?:written|posted|published|created|article)\s+)?(?:by|von|par|por|di|door|автор)(?:\s*:\s*|\s+)/i, ''),
  );
}

/** The first name that is marked as the author's, outside comments and teasers; undefined where there is none. */
export function findShownAuthor(tree: PageTree): string | undefined {
  let marked: string | undefined;
  for (const { element, isStated } of shownMarksOf(tree).authors) {
    const name = isStated || marked === undefined ? nameIn(element, isStated) : undefined;
    if (name === undefined || isForeign(element)) continue;
    if (isStated) return name;
    marked = name;
  }
  return marked;
}

/** The first day that is written where a date is marked, as ISO 8601; undefined where there is none. */
export function findShownDate(tree: PageTree): string | undefined {
  for (const element of shownMarksOf(tree).dates) {
    if (isForeign(element)) continue;
    const date = parseDate(textOf(element, 120).replace(/^\D{0,20}?(?:published|posted|date)\s*(?:on|:|at)?\s*:?\s*/i, ''));
    if (date !== undefined) return date;
  }
  return undefined;
}

function isForeign(element: Element): boolean {
  if (ancestorNamed(element, ['aside', 'footer', 'nav'])) return true;
  let names = namesOf(element);
  for (let at = element.parent, depth = 0; at && 'attribs' in at && at.name !== 'body' && depth < 4; at = at.parent, depth++)
    names += ` ${namesOf(at)}`;
  return FOREIGN_MARK.test(names);
}

/** The name in an element: that of `itemprop=name` or the link in it, else its own text; stated authors may be called anything. */
function nameIn(element: Element, isStated: boolean): string | undefined {
  for (const below of elementsBelow(element)) {
    if (below.attribs['itemprop'] !== 'name' && below.name !== 'a') continue;
    const name = personName(textOf(below, NAME_CHARACTERS_MAX + 1));
    if (isName(name) || (isStated && name !== '' && name.length <= NAME_CHARACTERS_MAX)) return name;
  }
  const name = personName(textOf(element, NAME_CHARACTERS_MAX + 1).split(/\s[|•·–—]\s/)[0] ?? '');
  return isName(name) ? name : undefined;
}

/** One to five words, without digits or sentence marks, the first and the last in capitals where the script has them. */
function isName(text: string): boolean {
  const words = text.split(' ');
  if (text === '' || text.length > NAME_CHARACTERS_MAX || words.length > 5 || /[\d@/:!?(){}[\]|]/.test(text)) return false;
  if (/^(?:view|read|more|about|author|posts?|all|share|follow|the|comments?)\b/i.test(text)) return false;
  return [words[0], words.at(-1)].every((word) => /^[^\p{Ll}]/u.test(word ?? ''));
}
