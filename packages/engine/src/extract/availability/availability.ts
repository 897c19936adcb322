// Decides whether a product can be bought, from what its data states and what stands near its buy box.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { LinkedLists } from '../product/linked-lists.ts';
import type { Area, Control, PageText, TextBlock } from '../product/page-text.ts';
import { ancestorsOf, isQuantityField, isWithin, shownText } from '../product/page-text.ts';
import { findPhrase, findQuantity, isBuyName, isBuyText, isNotice } from './phrases.ts';
import type { Availability, AvailabilityEvidence, AvailabilitySource, AvailabilityState } from './state.ts';
import { isBuyable, stateOfTerm } from './state.ts';

/** What structured data says of one offer. */
export interface StatedAvailability {
  readonly source: AvailabilitySource;
  /** The term as written: `https://schema.org/InStock`. */
  readonly term: string;
}

/** Blocks before and behind the heading that can belong to the buy box. */
const BLOCKS_BEFORE = 25;
const BLOCKS_BEHIND = 90;
/** Buy buttons are sure enough to be looked for further away. */
const CONTROLS_BEHIND = 250;
/** A phrase counts as a statement only in a short text. */
const STATEMENT_CHARS_MAX = 90;

interface TextSign extends AvailabilityEvidence {
  /** 3: a text that says nothing else; 2.5: hardly anything else; 2: a short text; 1.5: a buy button; 1.2: a field of a buy form; 1: a variant or a sentence. */
  readonly weight: number;
  /** Position of its block on the page. */
  readonly index: number;
}

/**
 * The availability of the product that the page is about. `stated` are the offers in question: one that can be bought makes the product
 * available. A plain statement near the heading that it can't be bought overrules them, unless a working buy button stands as near (pages
 * keep hidden texts for the other case). `priceIndex` is the block of the product's price. Where statement and data differ, `conflict` is set.
 */
export function readAvailability(page: PageText, stated: readonly StatedAvailability[], priceIndex?: number): Availability {
  const anchors = [page.heading?.index, priceIndex].filter((index) => index !== undefined);
  const blocks = page.blocks.filter(({ area, index }) => isMain(area) && isNear(index, anchors, BLOCKS_BEHIND));
  const lists = listsOfBuys(page);
  const buys = buyControlsOf(page, anchors, priceIndex !== undefined).filter(({ element }) => !lists.has(element, 3));
  const buttons = [
    ...blocks.flatMap((block) => signOfBuyText(block, lists) ?? []),
    ...buys.flatMap((control) => signOfControl(control) ?? []),
  ];
  const statements = stated.flatMap(({ source, term }) => {
    const state = stateOfTerm(term) ?? findPhrase(term)?.state;
    return state ? [{ source, state, phrase: term }] : [];
  });
  const signs = blocks
    .flatMap((block) => signOf(block, buys) ?? [])
    .filter((sign) => isBuyable(sign.state) || !isOverruled(sign, buttons, anchors));
  const byData = statements.find((statement) => isBuyable(statement.state)) ?? statements[0];
  const byText = strongest([...signs, ...buttons]);
  const winner = decide(byData, byText);
  const evidence = [winner, byData, byText].filter((sign): sign is AvailabilityEvidence => sign !== undefined);
  return {
    state: winner?.state ?? 'unknown',
    evidence: [...new Set(evidence)].map(({ source, state, phrase }) => ({ source, state, phrase })),
    conflict: byData !== undefined && byText !== undefined && byText.weight >= 3 && isBuyable(byData.state) !== isBuyable(byText.state),
    quantity: quantityOf(blocks),
  };
}

/** Blocks by which a statement may be nearer to the heading than a buy button that still overrules it. */
const NEARER_BLOCKS = 12;

function isOverruled(sign: TextSign, buttons: readonly TextSign[], anchors: readonly number[]): boolean {
  return buttons.some(
    (button) => button.weight >= BUTTON_WEIGHT && gapTo(button.index, anchors) <= gapTo(sign.index, anchors) + NEARER_BLOCKS,
  );
}

function gapTo(index: number, anchors: readonly number[]): number {
  return Math.min(...(anchors.length > 0 ? anchors : [0]).map((anchor) => Math.abs(index - anchor)));
}

/** From a little before an anchor to `behind` blocks behind one; without an anchor the start of the page. */
function isNear(index: number, anchors: readonly number[], behind: number): boolean {
  return (anchors.length > 0 ? anchors : [0]).some((anchor) => index >= anchor - BLOCKS_BEFORE && index <= anchor + behind);
}

/** Buy boxes stand beside the content as often as in it. */
function isMain(area: Area): boolean {
  return area === 'main' || area === 'aside';
}

/** Text wins only where it is a statement of its own; a refinement of `in_stock` (limited, preorder) is taken from either side. */
function decide(byData: AvailabilityEvidence | undefined, byText: TextSign | undefined): AvailabilityEvidence | undefined {
  if (!byData || !byText) return byData ?? byText;
  if (isBuyable(byData.state) === isBuyable(byText.state)) {
    return byData.state === 'in_stock' && byText.weight >= 2 && byText.state === 'limited' ? byText : byData;
  }
  return byText.weight >= 3 ? byText : byData;
}

function strongest(signs: readonly TextSign[]): TextSign | undefined {
  let best: TextSign | undefined;
  for (const sign of signs) if (!best || sign.weight > best.weight || isOpenVariant(sign, best)) best = sign;
  return best;
}

/** Among variants one that can be bought is enough. */
function isOpenVariant(sign: TextSign, best: TextSign): boolean {
  return sign.weight === 1 && best.weight === 1 && isBuyable(sign.state) && !isBuyable(best.state);
}

/** Controls that buy by their names, near the product in the main content. */
function buyControlsOf(page: PageText, anchors: readonly number[], isPriced: boolean): readonly Control[] {
  return page.controls.filter(({ element, area, index }) => {
    return (
      isMain(area) && isNear(index, anchors, CONTROLS_BEHIND) && (isBuyName(namesOf(element)) || (isPriced && isQuantityField(element)))
    );
  });
}

function namesOf(element: Element): string {
  const { class: className = '', id = '', name = '', title = '', 'aria-label': label = '', 'data-action': action = '' } = element.attribs;
  const { href = '', onclick = '', action: address = '', alt = '' } = element.attribs;
  const picture =
    element.name === 'form' ? undefined : element.children.find((child): child is Element => isTag(child) && child.name === 'img');
  const code = /^javascript:/i.test(href) ? `${href} ${onclick}` : onclick;
  return `${className} ${id} ${name} ${action} ${title} ${label} ${code.slice(0, 200)} ${address.slice(0, 200)} ${alt} ${picture?.attribs['alt'] ?? ''}`;
}

const BUTTON_WEIGHT = 1.5;
const FIELD_WEIGHT = 1.2;

/** Forms and quantity fields stay on the page when nothing can be bought; they only speak where nothing else does. */
function isField(element: Element): boolean {
  return element.name === 'form' || isQuantityField(element);
}

function signOfControl({ element, index }: Control): TextSign | undefined {
  if (isDisabled(element)) return undefined;
  const { title, 'aria-label': label, value, name, id } = element.attribs;
  const words = isField(element) ? [name, id] : [shownText(element), label, title, value, name, id];
  const phrase = words.find((text) => text !== undefined && text !== '') ?? element.name;
  return {
    source: 'text',
    state: 'in_stock',
    phrase: phrase.slice(0, STATEMENT_CHARS_MAX),
    weight: isField(element) ? FIELD_WEIGHT : BUTTON_WEIGHT,
    index,
  };
}

function signOfBuyText(block: TextBlock, lists: LinkedLists): TextSign | undefined {
  if (!isBuyText(block.text) || isDisabled(block.element) || lists.has(block.element, 3)) return undefined;
  return { source: 'text', state: 'in_stock', phrase: block.text, weight: BUTTON_WEIGHT, index: block.index };
}

/** True for one of several labels inside a buy control, of which a script shows one. */
function isOneLabelOfMany(block: TextBlock, buys: readonly Control[]): boolean {
  const control = buys.find(
    ({ element }) => isWithin(block.element, element) || block.pieces.some((piece) => isWithin(piece.element, element)),
  );
  if (!control) return false;
  return new Set(block.pieces.map((piece) => piece.element)).size > 1 || shownText(control.element).length > block.text.length + 3;
}

function signOf(block: TextBlock, buys: readonly Control[]): TextSign | undefined {
  const { text } = block;
  if (isOneLabelOfMany(block, buys)) return undefined;
  if (widthOf(text) > STATEMENT_CHARS_MAX || /[?]\s*$/.test(text)) return undefined;
  const found = findPhrase(text);
  if (!found) return undefined;
  return { source: 'text', ...found, weight: weightOf(block, found.phrase), index: block.index };
}

function weightOf(block: TextBlock, phrase: string): number {
  if (isVariant(block)) return 1;
  if (isNotice(phrase)) return 2;
  const rest = widthOf(
    block.text
      .replace(phrase, '')
      .replace(LABEL, '')
      .replace(NEUTRAL, '')
      .replace(/[^\p{L}]/gu, ''),
  );
  if (rest <= 4) return 3;
  if (rest <= 12) return 2.5;
  return widthOf(block.text) <= 45 ? 2 : 1;
}

/** Characters of a text, those of scripts without blanks counted twice. */
function widthOf(text: string): number {
  return text.length + (text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0) * 1.5;
}

/** Words that a statement about the product can hold without being about something else. */
const NEUTRAL =
  /(?<!\p{L})(?:this|the|our|product|item|article|title|online|is|are|currently|temporarily|now|at the moment|sorry|unfortunately|soon|again|dieser?s?|artikel|produkt|ist|leider|derzeit|momentan|zurzeit|aktuell|sofort|ce|cet|le|produit|est|actuellement|désolé|momentanément|questo|prodotto|articolo|è|attualmente|este|el|producto|artículo|está|esta|actualmente|o|produto|está|dit|is|helaas|momenteel|varan|produkten|är|tillfälligt|varen|er|tuote|on|ten|jest|towar|chwilowo|toto|zboží|je|momentálně|tovar|termék|jelenleg|produsul|este|izdelek|trenutno|proizvod|товар|временно|тимчасово|продуктът|е|ürün|şu an|この商品は|商品|目前)(?!\p{L})/giu;

const LABEL =
  /availability|verfügbarkeit|lieferstatus|disponibilit(?:é|à|y)|disponibilidad|disponibilidade|beschikbaarheid|lagerstatus|dostępność|dostupnost|razpoložljivost|наличие|наявність|наличност|διαθεσιμότητα|stok durumu|stock status|stock|status|在庫|库存|庫存/giu;

/** The lists of other products, each with its own buy buttons. */
function listsOfBuys(page: PageText): LinkedLists {
  const lists = new LinkedLists(page.heading?.element);
  for (const { element } of page.controls) if (isBuyName(namesOf(element)) || isBuyText(shownText(element))) lists.count(element);
  return lists;
}

/** An option, a swatch or a size: it says nothing of the product as a whole. */
function isVariant(block: TextBlock): boolean {
  let height = 0;
  for (const at of ancestorsOf(block.element)) {
    if (
      at.name === 'option' ||
      at.name === 'select' ||
      at.name === 'label' ||
      at.attribs['role'] === 'option' ||
      at.attribs['role'] === 'radio'
    )
      return true;
    if (/(?:^|[\s_-])(?:size|swatch|variant|variation|option)s?(?:$|[\s_-])/i.test(at.attribs['class'] ?? '')) return true;
    if (++height > 3) break;
  }
  return false;
}

function isDisabled(element: Element): boolean {
  return 'disabled' in element.attribs || element.attribs['aria-disabled'] === 'true';
}

function quantityOf(blocks: readonly TextBlock[]): number | undefined {
  for (const block of blocks) {
    if (widthOf(block.text) > STATEMENT_CHARS_MAX || isVariant(block)) continue;
    const quantity = findQuantity(block.text);
    if (quantity !== undefined) return quantity;
  }
  return undefined;
}

/** Whether a change of state is worth an alert. `in_stock_only` speaks up only when something can be bought again. */
export function decideAvailabilityAlert(
  previous: AvailabilityState | undefined,
  current: AvailabilityState,
  rule: 'any_change' | 'in_stock_only',
): boolean {
  if (previous === undefined || current === 'unknown' || previous === current) return false;
  return rule === 'any_change' || (isBuyable(current) && !isBuyable(previous));
}
