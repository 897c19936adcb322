// Tells a link to another view of a page that the page itself carries: its history, its edit form, its rows in another order.
import { decodeLoosely } from './decode-loosely.ts';
import { queryPairs } from './query-pairs.ts';

/** Shorter names stand in other addresses by chance. */
const NAME_CHARS_MIN = 3;
/** Cheap to see in the addresses that can't be one: those without a query and without a namespace. */
const MAY_BE_VIEW = /^https?:\/\/[^/]*\/.*[?:]/;

/**
 * Whether `url` looks like another view of `parent`, which links to it: its query and more, or what `parent` is called by beside something
 * else (`?title=Bean&action=history` and `/annotate/main.js`). Such pages are asked for last, and left out only for other reasons.
 */
export function isOwnView(url: string, parent: string | undefined): boolean {
  if (!MAY_BE_VIEW.test(url)) return false;
  const [one, other] = parent === undefined ? [] : [URL.parse(url), URL.parse(parent)];
  if (!one || !other || one.host !== other.host) return false;
  const pairs = queryPairs(one);
  const own = queryPairs(other);
  if (one.pathname === other.pathname) {
    const texts = new Set(pairs.map(({ text }) => text));
    // One parameter behind a bare address is as often the page's name.
    if (pairs.length > Math.max(own.length, 1) && own.every(({ text }) => texts.has(text))) return true;
  }
  const name = plainName(other.pathname.slice(other.pathname.lastIndexOf('/') + 1));
  if (name.length < NAME_CHARS_MIN) return false;
  if (pairs.length > 1 && pairs.some(({ value }) => plainName(value) === name)) return true;
  return (
    one.pathname !== other.pathname &&
    one.pathname.includes(':') &&
    plainName(one.pathname.slice(one.pathname.lastIndexOf('/') + 1)) === name
  );
}

function plainName(part: string): string {
  return decodeLoosely(part).replaceAll(/[+_ ]/g, ' ');
}
