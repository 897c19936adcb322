// Finds the short texts of a product page that state its price, its availability and its article number.
import type { AnyNode, Element } from 'domhandler';
import { isTag } from 'domhandler';
import { LANDMARK } from './landmarks.ts';
import type { ContentBlock, Outline } from './outline.ts';

/** Properties of schema.org Product and Offer that a buyer asks for. */
const PROPERTY =
  /(?:^|\s)(?:price|lowPrice|highPrice|priceCurrency|availability|sku|mpn|productID|gtin(?:8|12|13|14)?|brand|model|itemCondition)(?:\s|$)/i;
/** What shop systems (WooCommerce, Shopify, Magento, PrestaShop, Shopware) call the boxes of the same facts. */
const NAME = /(?:^|[\s_-])(?:price|prices|sku|stock|availability|mpn|gtin|ean|isbn|inventory)(?:$|[\s_-])/i;
/** Longer texts tell of something. */
const FACT_CHARS_MAX = 160;
const APART = LANDMARK.nav | LANDMARK.footer | LANDMARK.aside | LANDMARK.dialog | LANDMARK.noscript | LANDMARK.button | LANDMARK.list;

/** The blocks behind the heading of a page, up to its next section of several like it, that state facts of the product. */
export function productFacts({ blocks }: Outline): readonly ContentBlock[] {
  const heading = blocks.findIndex(({ box }) => box.element.name === 'h1');
  if (heading < 0) return [];
  return blocks.filter((block) => isNear(block, heading) && (block.box.landmarks & APART) === 0 && statesFact(block));
}

/** Blocks from the heading within which the facts of a product stand; prices further down are those of other products. */
const REACH = 40;

function isNear({ index, text }: ContentBlock, heading: number): boolean {
  return index > heading - 4 && index < heading + REACH && text.length <= FACT_CHARS_MAX;
}

/** True where the block, an element in it or one of the two boxes round it bears the name of a fact. */
function statesFact({ box, texts }: ContentBlock): boolean {
  const marks = (element: Element) => {
    const { itemprop, class: names = '', id = '' } = element.attribs;
    return (itemprop !== undefined && PROPERTY.test(itemprop)) || NAME.test(names) || NAME.test(id);
  };
  for (const text of texts)
    for (let node: AnyNode | null = text.parent; node && node !== box.element; node = node.parent)
      if (isTag(node) && marks(node)) return true;
  return marks(box.element) || (box.parent !== undefined && marks(box.parent.element));
}
