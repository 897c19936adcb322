// Finds the button by which a script shows more of a list; no address stands for what it shows.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { collapse } from '../../html/text.ts';
import type { PageTree } from '../../html/tree.ts';
import { attribute, shownElementsBelow, textContentOf } from '../../html/walk.ts';
import { readLabel } from './words.ts';

const LABEL_CHARACTERS_MAX = 40;
/** "More" alone opens a menu, and "Show more" within an item its text. */
const WORDS_MIN = 2;

/** What the button says; undefined where none is there, or it can't be pressed. */
export function findMoreButton(tree: PageTree): string | undefined {
  for (const element of shownElementsBelow(tree.body)) {
    if (!isButton(element) || isDisabled(element)) continue;
    const said = collapse(textContentOf(element)).trim() || collapse(attribute(element, 'aria-label') ?? attribute(element, 'title') ?? '');
    if (said.length <= LABEL_CHARACTERS_MAX && saysMore(said)) return said;
  }
  return undefined;
}

function isButton(element: Element): boolean {
  const { name } = element;
  if (name === 'button' || attribute(element, 'role') === 'button') return !isLink(element);
  return name === 'a' && !isLink(element);
}

/** A link that leads nowhere is pressed. */
function isLink(element: Element): boolean {
  return element.name === 'a' && !/^(?:#|javascript:|$)/i.test((attribute(element, 'href') ?? '').trim());
}

function isDisabled({ attribs, parent }: Element): boolean {
  const above = parent && isTag(parent) ? (parent.attribs['class'] ?? '') : '';
  return 'disabled' in attribs || attribs['aria-disabled'] === 'true' || /disabled/i.test(`${attribs['class'] ?? ''} ${above}`);
}

function saysMore(said: string): boolean {
  const { direction, page } = readLabel(said);
  return (direction === 'older' && said.split(/\s+/).length >= WORDS_MIN) || (direction === 'next' && page);
}
