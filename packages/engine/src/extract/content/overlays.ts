// Takes what lies over a page for a while out of the choice: a dialog or a consent banner is not the content of a page that has another.
import { LANDMARK } from './landmarks.ts';
import { isLanguagePicker, isMenu, opensSection } from './chrome.ts';
import type { ContentBlock, Box, Outline } from './outline.ts';
import type { Units } from './units.ts';

const SURROUNDINGS = LANDMARK.nav | LANDMARK.header | LANDMARK.footer | LANDMARK.aside | LANDMARK.dialog | LANDMARK.noscript;
/** What consent managers call their box, as a word of its class or id. */
const CONSENT = /(?:^|[-_\s])(?:cookies?|consent|gdpr|ccpa|onetrust|cookiebot|usercentrics|didomi|truste)(?:$|[-_\s])/i;
/** Longer texts are about consent; they do not ask for it. */
const CONSENT_CHARS_MAX = 3_000;

/** True for blocks that no landmark sets apart from the content of the page. */
export function isCentral({ box }: ContentBlock): boolean {
  return (box.landmarks & SURROUNDINGS) === 0;
}

/** `probabilities` with 0 for dialogs, consent banners, language pickers and forms of menus; as they are where the page says nothing else. */
export function withoutOverlays(outline: Outline, units: Units, probabilities: readonly number[]): readonly number[] {
  const { blocks } = outline;
  const known = new Uint8Array(outline.boxCount);
  for (const { box } of units.all) if (isLanguagePicker(box.element)) known[box.index] = OVER;
  const isOver = blocks.map(({ box }) => isOverlay(box, known));
  if (!isOver.includes(true)) return probabilities;
  const hasOther = blocks.some((block, i) => !isOver[i] && block.words > 0 && isCentral(block));
  return hasOther ? probabilities.map((probability, i) => (isOver[i] ? 0 : probability)) : probabilities;
}

const OVER = 1;
const UNDER = 2;

/** `known` says by box what was found before; 0 where nothing was. */
function isOverlay(box: Box, known: Uint8Array): boolean {
  const before = known[box.index];
  if (before !== 0) return before === OVER;
  const is =
    (box.landmarks & LANDMARK.dialog) !== 0 ||
    isConsent(box) ||
    isFormOfMenu(box) ||
    (box.parent !== undefined && isOverlay(box.parent, known));
  known[box.index] = is ? OVER : UNDER;
  return is;
}

/** A form inside of a menu sets the menu up: what it shows, and how. */
function isFormOfMenu({ element, parent }: Box): boolean {
  if (element.name !== 'form') return false;
  for (let at = parent; at?.parent; at = at.parent) if (isMenu(at.element)) return true;
  return false;
}

/** A consent banner is small and stands outside of the content; the id of a section about cookies is its heading over again. */
function isConsent({ element, chars, parent, landmarks }: Box): boolean {
  if (parent === undefined || chars >= CONSENT_CHARS_MAX || (landmarks & CONTENT) !== 0) return false;
  const { class: names = '', id = '' } = element.attribs;
  return CONSENT.test(names) || (CONSENT.test(id) && !opensSection(element));
}

const CONTENT = LANDMARK.main | LANDMARK.article;
