// Finds the part of a page where its product is bought, and the controls that buy it.
import type { Element } from 'domhandler';
import { isTag } from 'domhandler';
import { LinkedLists } from '../product/linked-lists.ts';
import type { Area, Control, PageText, TextBlock } from '../product/page-text.ts';
import { isQuantityField, shownText } from '../product/page-text.ts';
import { findPrices } from '../price/price.ts';
import { findPhrase, isBuyName, isBuyText } from './phrases.ts';
import type { TextSign } from './sign.ts';
import { WEIGHT } from './sign.ts';

/** The part of a page where its product is bought. */
export interface BuyBox {
  /** Block indexes of the heading and the price; the start of the page without either. */
  readonly anchors: readonly number[];
  /** The blocks around the anchors, lists of other products left out. */
  readonly blocks: readonly TextBlock[];
  /** Controls that buy by their names or their texts. */
  readonly controls: readonly Control[];
  /** A sign for each control and each text of a button that can be pressed. */
  readonly buttons: readonly TextSign[];
}

/** Blocks before and behind an anchor that can belong to the buy box. */
const BLOCKS_BEFORE = 25;
const BLOCKS_BEHIND = 90;
/** Buy buttons are sure enough to be looked for further away. */
const CONTROLS_BEHIND = 250;
const NAMES_CHARS_MAX = 300;
const BUTTON_CHARS_MAX = 90;

/** The buy box of the page's product; `priceIndex` is the block of its price. */
export function findBuyBox(page: PageText, priceIndex: number | undefined): BuyBox {
  const known = [page.heading?.index, priceIndex].filter((index) => index !== undefined);
  const anchors = known.length > 0 ? known : [0];
  const near = page.blocks.filter(({ area, index }) => isMain(area) && isNear(index, anchors, BLOCKS_BEHIND));
  const lists = listsOfOthers(page, near);
  const blocks = near.filter((block) => !lists.has(block.element, 3));
  const controls = page.controls.filter(({ element, area, index }) => {
    if (!isMain(area) || !isNear(index, anchors, CONTROLS_BEHIND) || lists.has(element, 3)) return false;
    return isBuyName(namesOf(element)) || (priceIndex !== undefined && isQuantityField(element));
  });
  const buttons = [...blocks.flatMap((block) => signOfText(block) ?? []), ...controls.flatMap((control) => signOfControl(control) ?? [])];
  return { anchors, blocks, controls, buttons };
}

/** Blocks between `index` and the nearest anchor. */
export function gapTo(index: number, anchors: readonly number[]): number {
  return Math.min(...anchors.map((anchor) => Math.abs(index - anchor)));
}

/** Forms and quantity fields stay on the page when nothing can be bought; they only speak where nothing else does. */
export function isField(element: Element): boolean {
  return element.name === 'form' || isQuantityField(element);
}

function isNear(index: number, anchors: readonly number[], behind: number): boolean {
  return anchors.some((anchor) => index >= anchor - BLOCKS_BEFORE && index <= anchor + behind);
}

/** Buy boxes stand beside the content as often as in it. */
function isMain(area: Area): boolean {
  return area === 'main' || area === 'aside';
}

/** The lists whose items have buy buttons, prices or states of their own. */
function listsOfOthers(page: PageText, near: readonly TextBlock[]): LinkedLists {
  const lists = new LinkedLists(page.heading?.element);
  for (const { element } of page.controls) {
    if (!isField(element) && (isBuyName(namesOf(element)) || isBuyText(shownText(element, BUTTON_CHARS_MAX)))) lists.count(element);
  }
  for (const block of near) {
    if (block.text.length <= 60 && (findPrices(block.text).length > 0 || findPhrase(block.text))) lists.count(block.element);
  }
  return lists;
}

/** Everything by which a program calls the control: names, labels, addresses and handlers. */
function namesOf(element: Element): string {
  const { class: className, id, name, title, alt, href = '', onclick, action } = element.attribs;
  const { 'aria-label': label, 'data-action': dataAction } = element.attribs;
  const picture =
    element.name === 'form' ? undefined : element.children.find((child): child is Element => isTag(child) && child.name === 'img');
  const code = /^javascript:/i.test(href) ? href : undefined;
  const parts = [className, id, name, title, alt, label, dataAction, onclick, action, code, picture?.attribs['alt']];
  return parts.flatMap((part) => part?.slice(0, NAMES_CHARS_MAX) ?? []).join(' ');
}

function signOfControl({ element, index }: Control): TextSign | undefined {
  if (isDisabled(element)) return undefined;
  const { title, 'aria-label': label, value, name, id } = element.attribs;
  const words = isField(element) ? [name, id] : [shownText(element, BUTTON_CHARS_MAX), label, title, value, name, id];
  const phrase = words.find((text) => text !== undefined && text !== '') ?? element.name;
  const weight = isField(element) ? WEIGHT.buyField : WEIGHT.buyButton;
  return { source: 'text', state: 'in_stock', phrase: phrase.slice(0, BUTTON_CHARS_MAX), weight, index };
}

function signOfText(block: TextBlock): TextSign | undefined {
  if (!isBuyText(block.text) || isDisabled(block.element)) return undefined;
  return { source: 'text', state: 'in_stock', phrase: block.text, weight: WEIGHT.buyButton, index: block.index };
}

function isDisabled(element: Element): boolean {
  return 'disabled' in element.attribs || element.attribs['aria-disabled'] === 'true';
}
