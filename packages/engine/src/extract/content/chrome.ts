// Names what is plainly no content: the rules by which a list, a table or any other unit may be left out, and nothing else may.
import { isTag } from 'domhandler';
import type { Element } from 'domhandler';
import { bitsOf } from './features/bits.ts';
import { LANDMARK, LANDMARK_NAMES } from './landmarks.ts';
import type { ContentBlock, Box } from './outline.ts';

/** Sections that HTML and ARIA set apart from the content of a page (HTML-AAM 3.5). */
const APART =
  LANDMARK.nav |
  LANDMARK.header |
  LANDMARK.footer |
  LANDMARK.aside |
  LANDMARK.noscript |
  LANDMARK.dialog |
  LANDMARK.button |
  LANDMARK.innerHeader |
  LANDMARK.innerFooter;

/** Widgets that steer (WAI-ARIA 1.2). */
const CHROME_ROLES = new Set(['tablist', 'menu', 'menubar', 'toolbar', 'listbox', 'search']);

/** Words of class names and ids, by what they say a box is for. */
type NameTable = ReadonlyMap<string, string>;

/** What authors name after what it is: where the judges doubt, each of these is enough. */
const PLAIN: NameTable = tableOf({
  navigation: 'nav navbar navigation menu menus submenu megamenu breadcrumb breadcrumbs crumbs topnav subnav sidenav docnav navlist',
  footer: 'footer colophon',
  social: 'share sharing social socials sharebar sharethis addtoany addthis',
  related: 'related recommend recommended recommendations similar upsell upsells crosssell outbrain taboola recirc teasers',
  advert: 'ad ads advert adverts advertisement sponsor sponsored adsense dfp',
  signup: 'newsletter subscribe subscription signup optin mailing',
  comments: 'comment comments commentlist disqus trackback trackbacks pingback pingbacks',
  pager: 'pagination pager paging pagenav',
  account: 'login signin cart basket minicart',
  filter: 'filters facet facets refine refinements',
});
/** Names that content has as well: they are enough only where the judges think little of a unit. */
const VAGUE: NameTable = tableOf({
  navigation: 'nav tabs topbar toolbar header masthead prev next skip children',
  sidebar: 'sidebar aside rail side secondary widget widgets left right',
  related: 'popular trending recent latest more also readmore teaser promo featured',
  footer: 'copyright',
  meta: 'meta byline author authors tags tag categories category info timestamp dateline credits',
  hidden: 'hidden hide invisible offscreen tooltip popover modal popup overlay lightbox drawer offcanvas toast',
  button: 'button buttons btn cta actions action',
  filter: 'filter sort sorting search field fields',
  account: 'account user profile wishlist userinfo avatar signature badge badges rank',
  contents: 'toc contents outline anchors tableofcontents',
});
/** Short headings over what leads to other pages, asks for something or shares the page, in the languages of many sites. */
const HEADING =
  /^(?:(?:related|similar|recommended|popular|trending|latest|recent|featured|suggested)\b|more (?:from|in|on|news|stories|like|articles|posts|great)\b|most (?:read|popular|viewed)\b|(?:read|keep reading|up|watch) (?:next|more|also)\b|you (?:may|might|could) (?:also )?(?:like|enjoy|be interested)|(?:customers|people|others|users) (?:who|also)|don['’]t miss|share (?:this|on|via)?|follow us|tags?$|categories$|comments?\b|\d+ (?:comments?|responses?|replies)\b|leave a (?:reply|comment)|trackbacks|newsletter|subscribe|sign up|advertisement|sponsored|ähnliche|verwandte|weitere (?:artikel|themen|beiträge)|mehr (?:zum|aus|von)|das könnte|kommentare?\b|à lire|articles? (?:similaires|liés|connexes)|vous aimerez|commentaires?\b|relacionad|artículos relacionados|te puede|también te|comentarios?\b|leia (?:também|mais)|veja também|articoli correlati|leggi anche|potrebbe interessarti|commenti\b|gerelateerd|lees ook|reacties\b|powiązane|zobacz także|похожие|читайте также|комментарии|関連|コメント|相关|评论)/iu;
const HEADING_CHARS_MAX = 60;

/** Where a box stands: the container that it is held against, and the boxes round the heading of the page, which no name speaks against. */
export interface ChromePlace {
  readonly top: Box | undefined;
  readonly heads: ReadonlySet<Box>;
}

/**
 * The rule by which what `box` holds in its place is no content; undefined where none speaks against it, so that it stays. An aside may be a
 * note beside the text (HTML 4.3.5), and names can be vague: both are enough where the judges doubt what is in the box.
 */
export function chromeRule(box: Box, place: ChromePlace, heading: ContentBlock | undefined, isDoubted: boolean): string | undefined {
  const { top } = place;
  const set = isDoubted ? APART : APART & ~LANDMARK.aside;
  const apart = bitsOf(box.landmarks & set & ~(top?.landmarks ?? 0))[0];
  if (apart !== undefined && !isPartOfText(box, top)) return `landmark ${LANDMARK_NAMES[apart]}`;
  const role = box.element.attribs['role'];
  if (role !== undefined && CHROME_ROLES.has(role)) return `role ${role}`;
  const name = nameRule(box, place, isDoubted);
  if (name !== undefined) return name;
  if (isLanguagePicker(box.element)) return 'language picker';
  return heading && heading.text.length <= HEADING_CHARS_MAX && HEADING.test(heading.text) ? `headed ${heading.text}` : undefined;
}

/** What the names of a box and of those round it say, up to the container. */
function nameRule(box: Box, { top, heads }: ChromePlace, isDoubted: boolean): string | undefined {
  for (let at: Box | undefined = box; at?.parent && at !== top && !isMain(at) && !heads.has(at); at = at.parent) {
    // What stands round a panel is named after its tabs, and so may it be itself.
    const isPanel = at.element.attribs['role'] === 'tabpanel';
    for (const word of namesOf(at.element)) {
      const plain = PLAIN.get(word) ?? (isDoubted && !isPanel ? VAGUE.get(word) : undefined);
      if (plain !== undefined) return `named ${plain}: ${word}`;
    }
    if (isPanel) return undefined;
  }
  return undefined;
}

/** True for an element that is a menu by its tag, its role or a plain name, whether it is filled or a script will do that. */
export function isMenu(element: Element): boolean {
  const { role } = element.attribs;
  const isNamed = () => namesOf(element).some((word) => PLAIN.get(word) === 'navigation');
  return element.name === 'nav' || role === 'navigation' || (role !== undefined && CHROME_ROLES.has(role)) || isNamed();
}

/** Names that mean a menu of links and nothing else; a list of dishes is named a menu as well. */
const NAVIGATION = /^(?:nav|navbar|navigation|topnav|subnav|sidenav|docnav|navlist|breadcrumbs?)$/;

/** True for an element that is named navigation. */
export function isNamedNavigation(element: Element): boolean {
  return namesOf(element).some((word) => NAVIGATION.test(word));
}

/** True for an element whose id says that it is a footer: there is one, while each card of a list may have a footer by its class. */
export function isNamedFooter(element: Element): boolean {
  return /(?:^|[_-])(?:footer|colophon)$/i.test(element.attribs['id'] ?? '');
}

/** The words of class and id; the id of a section is its heading over again, whatever that is about. */
function namesOf(element: Element): readonly string[] {
  const { class: names = '', id = '' } = element.attribs;
  if (names === '' && id === '') return [];
  const text = id === '' || opensSection(element) ? names : `${names} ${id}`;
  return (text.slice(0, NAMES_MAX).match(/[A-Z]+[a-z]*|[a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

/** Characters of class and id that are looked at. */
const NAMES_MAX = 400;

/** True for a section, and for whatever begins with a heading or is a term: its id names its subject, not its purpose. */
export function opensSection(element: Element): boolean {
  const first = element.children.find(isTag);
  return element.name === 'section' || element.name === 'dt' || (first !== undefined && /^h[1-6]$/.test(first.name));
}

function tableOf(groups: Readonly<Record<string, string>>): NameTable {
  return new Map(Object.entries(groups).flatMap(([group, words]) => words.split(' ').map((word): [string, string] => [word, group])));
}

/** Notes and the like stand apart in the page, not from it (DPUB-ARIA 1.1: `doc-footnote`, `doc-endnotes`, `doc-tip`). */
function isPartOfText(box: Box, top: Box | undefined): boolean {
  for (let at: Box | undefined = box; at && at !== top; at = at.parent) {
    const { role, 'epub:type': type } = at.element.attribs;
    if (role?.startsWith('doc-') || type !== undefined) return true;
  }
  return false;
}

/** True for the element that a page declares its content to be. */
export function isMain({ element }: Box): boolean {
  return element.name === 'main' || element.attribs['role'] === 'main';
}

/** True where each of several links says the language of its target (HTML 4.6.5): they lead to this same page in others. */
export function isLanguagePicker(element: Element): boolean {
  return countLanguageLinks(element) > 1;
}

/** How many links below `element` name a language; NaN as soon as one does not, so that most lists cost a look at their first link. */
function countLanguageLinks(element: Element): number {
  let count = 0;
  for (const child of element.children) {
    if (!isTag(child)) continue;
    if (child.name !== 'a' || child.attribs['href'] === undefined) count += countLanguageLinks(child);
    else count += child.attribs['hreflang'] === undefined ? Number.NaN : 1;
    if (Number.isNaN(count)) return count;
  }
  return count;
}
