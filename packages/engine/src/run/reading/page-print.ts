// By what a page is told from another one that stands in its place.
import { isTag } from 'domhandler';
import { attribute, elementsBelow, textContentOf } from '../../html/walk.ts';
import type { PagePrint } from '../guard/seen.ts';
import { lastingWords } from '../guard/words.ts';
import type { ReadPage } from './find.ts';

/** The print of a page that answered `status`. */
export function pagePrintOf({ document }: ReadPage, status: number): PagePrint {
  const names: string[] = [];
  let asksPassword = false;
  for (const element of elementsBelow(document.tree.root)) {
    const isOfHead = element.parent && isTag(element.parent) && element.parent.name === 'head';
    if (element.name === 'title' && isOfHead) names.push(textContentOf(element));
    if (element.name === 'form')
      names.push(attribute(element, 'name') ?? attribute(element, 'id') ?? attribute(element, 'aria-label') ?? '');
    if (element.name === 'input' && attribute(element, 'type')?.toLowerCase() === 'password') asksPassword = true;
  }
  return { status, host: new URL(document.source.url).host, words: lastingWords(names.join(' ')).slice(0, 50), asksPassword };
}
