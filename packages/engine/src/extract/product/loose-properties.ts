// Reads the properties of an offer that pages mark up outside every item, where microdata itself finds nothing.
import type { PageTree } from '../../html/tree.ts';
import { collapse } from '../../html/text.ts';
import { elementsWithTemplates, textContentOf } from '../../html/walk.ts';

/** Values as written, by property name. */
export type LooseProperties = Readonly<Partial<Record<LooseName, string>>>;
type LooseName = 'price' | 'priceCurrency' | 'availability';

const NAMES: readonly LooseName[] = ['price', 'priceCurrency', 'availability'];

/** The first value of each property in the page; names that do not occur are absent. */
export function readLooseProperties(tree: PageTree): LooseProperties {
  const found: Partial<Record<LooseName, string>> = {};
  for (const element of elementsWithTemplates(tree.html)) {
    const name = NAMES.find((each) => each === element.attribs['itemprop']);
    if (name === undefined || found[name] !== undefined) continue;
    const value = element.attribs['content'] ?? element.attribs['href'] ?? collapse(textContentOf(element));
    if (value !== '') found[name] = value;
  }
  return found;
}
