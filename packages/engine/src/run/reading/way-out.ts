// Finds the way to sign out, which only somebody who is signed in is shown.
import { isTag } from 'domhandler';
import type { Element } from 'domhandler';
import type { PageTree } from '../../html/tree.ts';
import { elementsBelow, textContentOf } from '../../html/walk.ts';
import { actOfWord, plainWord } from '../../url/act-words.ts';
import { findAct } from '../../url/acts.ts';

const LABEL_MAX = 40;

/** The link or button that signs out, by its address or its label; undefined where there is none. */
export function wayOut(tree: PageTree): Element | undefined {
  for (const element of elementsBelow(tree.root)) {
    if (!isTag(element) || (element.name !== 'a' && element.name !== 'button')) continue;
    const address = URL.parse(element.attribs['href'] ?? '', tree.baseUrl)?.href;
    const label = textContentOf(element).trim();
    const isSaid = label.length <= LABEL_MAX && actOfWord(plainWord(label)) === 'sign out';
    if (isSaid || (address !== undefined && findAct(address)?.startsWith('sign out') === true)) return element;
  }
  return undefined;
}

/** Whether the page shows that somebody is signed in: it has a way to sign out, and asks for no password. */
export function isSignedIn(tree: PageTree): boolean {
  const asks = [...elementsBelow(tree.root)].some(({ name, attribs }) => name === 'input' && attribs['type']?.toLowerCase() === 'password');
  return !asks && wayOut(tree) !== undefined;
}
