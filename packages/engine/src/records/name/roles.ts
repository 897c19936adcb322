// Says which fields of a record are its title, its address and its picture.
import { meaningOf } from './naming.ts';
import { mean } from '../group/shares.ts';
import { type Slot, isConstant } from '../align/slots.ts';
import { typeOfTexts } from './values.ts';

/** A part that a field plays in its record. */
export type Role = 'title' | 'url' | 'image';

const TITLE_PROPS = new Set(['name', 'headline', 'title']);
const TITLE_CHARS = { min: 4, max: 250 };

/** The slots with a part to play, at most one for each. */
export function rolesOf(slots: readonly Slot[]): Map<Slot, Role> {
  const roles = new Map<Slot, Role>();
  const often = slots.filter((slot) => slot.filled >= 0.5 && !slot.many);
  const addresses = often.filter((slot) => slot.kind === 'url');
  const own = addresses.filter(isOwn);
  const links = own.length > 0 ? own : addresses;
  const title = maxBy(
    often.filter((slot) => slot.kind === 'text' && !isConstant(slot)),
    (slot) => titleWeight(slot, links),
  );
  const around = title && links.find((link) => isLinkOf(link, title));
  const main = around ?? maxBy(links, (link) => mean(link.values.flat(), (leaf) => leaf.linkChars));
  const image = slots.find((slot) => slot.kind === 'image');
  if (title) roles.set(title, 'title');
  if (main) roles.set(main, 'url');
  if (image) roles.set(image, 'image');
  return roles;
}

/** Whether most records lead somewhere of their own: what many of them share is their maker or their section. */
function isOwn({ values }: Slot): boolean {
  const all = values.flat().map(({ raw }) => raw);
  return new Set(all).size * 2 > all.length;
}

/** What speaks for a text as the title: a heading, its itemprop or class, a link around it, words rather than numbers. */
function titleWeight(slot: Slot, links: readonly Slot[]): number {
  const leaf = slot.values.find((leaves) => leaves.length > 0)?.[0];
  const chars = mean(slot.values.flat(), (one) => one.raw.length);
  let weight = slot.filled;
  if (leaf?.heading) weight += 2.5;
  if (TITLE_PROPS.has(leaf?.itemprop ?? '')) weight += 3;
  if (meaningOf(leaf?.classes ?? [], 'text') === 'title') weight += 2;
  if (links.some((link) => isLinkOf(link, slot))) weight += 1 + Math.min(chars, 60) / 60;
  if (chars >= TITLE_CHARS.min && chars <= TITLE_CHARS.max) weight += 1;
  return typeOfTexts(slot.values.flatMap((leaves) => leaves.map(({ raw }) => raw))) === 'text' ? weight : weight - 3;
}

/** True when the link is around the text, or directly in its element. */
function isLinkOf(link: Slot, text: Slot): boolean {
  const at = link.key.replace(/@href.*$/, '');
  const inside = text.key.replace(/#\d+$/, '');
  return inside === at || inside.startsWith(`${at}>`) || at === `${inside}>a`;
}

/** The first value with the greatest weight. */
function maxBy<Value>(values: readonly Value[], of: (value: Value) => number): Value | undefined {
  let best: Value | undefined;
  let bestWeight = -Infinity;
  for (const value of values) {
    const weight = of(value);
    if (weight <= bestWeight) continue;
    best = value;
    bestWeight = weight;
  }
  return best;
}
