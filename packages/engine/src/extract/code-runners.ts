// Finds links that carry the code beside them to a place where it runs: Rust's, Go's and Kotlin's playgrounds.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { absoluteUrl } from '../html/address.ts';
import type { PageTree } from '../html/tree.ts';
import { parentOf, textContentOf } from '../html/walk.ts';

/** A program is known by its first lines; what a parameter wraps round them may stand before each. */
const LINES_MAX = 3;
/** Shorter code may be the word that a link searches for. */
const CHARACTERS_MIN = 8;

/** True for a link beside a code block whose address holds that code. */
export function carriesCode(link: Element, tree: PageTree): boolean {
  if (!link.attribs['href']?.includes('=')) return false;
  const block = parentOf(link)
    ?.children.filter(isTag)
    .find(({ name }) => name === 'pre');
  if (!block) return false;
  const lines = textContentOf(block)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, LINES_MAX);
  if (lines.join('').length < CHARACTERS_MIN) return false;
  const url = URL.parse(absoluteUrl(link.attribs['href'], tree) ?? '');
  return url !== null && [...url.searchParams.values()].some((value) => lines.every((line) => value.includes(line)));
}
