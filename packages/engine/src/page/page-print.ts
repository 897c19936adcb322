// By what a page is told from another one that stands in its place.
import { isTag } from 'domhandler';
import { attribute, elementsBelow, textContentOf } from '../html/walk.ts';
import { lastingWords } from './lasting-words.ts';
import type { PageDocument } from './page-document.ts';

/** How a page is told from another one: where it is, what it answers, and the names that it gives itself. */
export interface PagePrint {
  readonly status: number;
  readonly host: string;
  /** Words of its title and names of its forms, in small letters, without what numbers, prices and dates say. */
  readonly words: readonly string[];
  /** True where it asks for a password. */
  readonly asksPassword: boolean;
}

/** The print of a page that answered `status`. */
export function pagePrintOf(document: PageDocument, status: number): PagePrint {
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
