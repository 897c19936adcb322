// Reads from tags, roles and names where on the page a block stands.
import { wordsOf } from './classes.ts';
import type { Block } from './survey.ts';

const BOILERPLATE_TAGS = new Set(['nav', 'header', 'footer', 'aside', 'dialog']);
const BOILERPLATE_ROLES = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'menu',
  'menubar',
  'tablist',
  'toolbar',
  'dialog',
  'alertdialog',
]);
/** More of a class attribute is not read. */
const NAMES_CHARS_MAX = 600;
/** Names of what surrounds the records of a page, or offers other pages. */
const AWAY =
  /^(?:menu|nav|navbar|navigation|filter|filters|facet|facets|refine|refinement|refinements|pagination|pager|paging|breadcrumb|breadcrumbs|footer|header|sidebar|related|recommended|recommendations|social|share|toolbar|tab|tabs|dropdown|suggestion|suggestions|category|categories|rail|widget|masthead|carousel|trending|popular|tags|sort|login|account|cookie|cookies|consent|gdpr|privacy|legal|modal|dialog|popup|overlay|newsletter|subscribe|faq|faqs|accordion|promo|banner|ad|ads|sponsored|topbar|subnav|sitemap|hidden)$/;
/** Names that authors give to lists of records. */
const TOWARDS =
  /^(?:result|results|item|items|product|products|listing|listings|main|content|hit|hits|entry|entries|card|cards|record|records|feed|stream|post|posts|article|articles|story|stories|row|rows|thread|threads|job|jobs|search|grid|list)$/;

/** True within navigation, header, footer, aside or dialog, by tag or role. */
export function isInBoilerplate(block: Block): boolean {
  for (let at: Block | undefined = block; at; at = at.parent) {
    if (BOILERPLATE_TAGS.has(at.element.name)) return true;
    if (BOILERPLATE_ROLES.has(at.element.attribs['role'] ?? '')) return true;
  }
  return false;
}

/** How many of `block` and its ancestors carry a class or id that speaks against a list of records, and for one. */
export function placeWords(block: Block): { away: number; towards: number } {
  let away = 0;
  let towards = 0;
  for (let at: Block | undefined = block; at?.parent; at = at.parent) {
    const words = wordsOf(`${at.element.attribs['id'] ?? ''} ${at.element.attribs['class'] ?? ''}`.slice(0, NAMES_CHARS_MAX));
    if (words.some((word) => AWAY.test(word))) away++;
    if (words.some((word) => TOWARDS.test(word))) towards++;
  }
  return { away, towards };
}
