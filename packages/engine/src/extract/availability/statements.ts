// Reads what the texts of a buy box say about availability, and weighs how plainly they say it.
import type { Element } from 'domhandler';
import type { TextBlock } from '../product/page-text.ts';
import { ancestorsOf, isWithin, shownText } from '../product/page-text.ts';
import type { BuyBox } from './buy-box.ts';
import { isField } from './buy-box.ts';
import { findPhrase, findQuantity, isNotice } from './phrases.ts';
import type { TextSign } from './sign.ts';
import { WEIGHT } from './sign.ts';

/** A phrase counts only in a short text. */
const STATEMENT_CHARS_MAX = 90;
const SHORT_CHARS_MAX = 45;

/** Words that a statement about the product can hold without being about something else. */
const NEUTRAL =
  /(?<!\p{L})(?:this|the|our|product|item|article|title|online|is|are|currently|temporarily|now|at the moment|sorry|unfortunately|soon|again|dieser?s?|artikel|produkt|ist|leider|derzeit|momentan|zurzeit|aktuell|sofort|ce|cet|le|produit|est|actuellement|désolé|momentanément|questo|prodotto|articolo|è|attualmente|este|el|producto|artículo|está|esta|actualmente|o|produto|está|dit|is|helaas|momenteel|varan|produkten|är|tillfälligt|varen|er|tuote|on|ten|jest|towar|chwilowo|toto|zboží|je|momentálně|tovar|termék|jelenleg|produsul|este|izdelek|trenutno|proizvod|товар|временно|тимчасово|продуктът|е|ürün|şu an|この商品は|商品|目前)(?!\p{L})/giu;

const LABEL =
  /availability|verfügbarkeit|lieferstatus|disponibilit(?:é|à|y)|disponibilidad|disponibilidade|beschikbaarheid|lagerstatus|dostępność|dostupnost|razpoložljivost|наличие|наявність|наличност|διαθεσιμότητα|stok durumu|stock status|stock|status|在庫|库存|庫存/giu;

/** The signs of all texts in the buy box, in document order. */
export function readStatements(box: BuyBox): readonly TextSign[] {
  return box.blocks.flatMap((block) => signOf(block, box) ?? []);
}

/** The first number of pieces left that a text of the buy box gives, variants left out. */
export function readQuantity(box: BuyBox): number | undefined {
  for (const block of box.blocks) {
    if (widthOf(block.text) > STATEMENT_CHARS_MAX || isVariant(block.element)) continue;
    const quantity = findQuantity(block.text);
    if (quantity !== undefined) return quantity;
  }
  return undefined;
}

function signOf(block: TextBlock, box: BuyBox): TextSign | undefined {
  if (widthOf(block.text) > STATEMENT_CHARS_MAX || /\?\s*$/.test(block.text)) return undefined;
  const found = findPhrase(block.text);
  if (!found || isOneLabelOfMany(block, box)) return undefined;
  const weight = weightOf(block, found.phrase);
  // Sentences say of all kinds of things that they are available.
  if (found.state === 'in_stock' && weight === WEIGHT.aside && !isVariant(block.element)) return undefined;
  return { source: 'text', ...found, weight, index: block.index };
}

/** True for one of several labels inside a buy control, of which a script shows one. */
function isOneLabelOfMany(block: TextBlock, box: BuyBox): boolean {
  const control = box.controls.find(({ element }) => !isField(element) && block.pieces.some((piece) => isWithin(piece.element, element)));
  if (!control) return false;
  if (new Set(block.pieces.map((piece) => piece.element)).size > 1) return true;
  return shownText(control.element, STATEMENT_CHARS_MAX * 2).length > block.text.length + 3;
}

function weightOf(block: TextBlock, phrase: string): number {
  if (isVariant(block.element)) return WEIGHT.aside;
  if (isNotice(phrase)) return WEIGHT.shortText;
  const rest = block.text.replace(phrase, '').replace(LABEL, '').replace(NEUTRAL, '');
  const letters = widthOf(rest.replace(/[^\p{L}]/gu, ''));
  if (letters <= 4) return WEIGHT.statement;
  if (letters <= 12) return WEIGHT.nearStatement;
  return widthOf(block.text) <= SHORT_CHARS_MAX ? WEIGHT.shortText : WEIGHT.aside;
}

/** Characters of a text; those of scripts without blanks count for two and a half. */
function widthOf(text: string): number {
  return text.length + (text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0) * 1.5;
}

/** An option, a swatch or a size: it says nothing of the product as a whole. */
function isVariant(element: Element): boolean {
  let height = 0;
  for (const at of ancestorsOf(element)) {
    if (/^(?:option|select|label)$/.test(at.name) || /^(?:option|radio)$/.test(at.attribs['role'] ?? '')) return true;
    if (/(?:^|[\s_-])(?:size|swatch|variant|variation|option)s?(?:$|[\s_-])/i.test(at.attribs['class'] ?? '')) return true;
    if (++height > 3) return false;
  }
  return false;
}
