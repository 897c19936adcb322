// Whether two addresses could name one place of a site, for pages whose text is the same.
import { isRandomLooking } from './trap-class.ts';

/**
 * Whether `left` and `right` end alike: the same path, the same last part below different folders (a session, a mirror, a link of the file
 * system), or parts in that place that a server made up. Pages of one template with the same text and other addresses are not one page.
 */
export function couldBeSamePlace(left: string, right: string): boolean {
  const a = URL.parse(left);
  const b = URL.parse(right);
  if (!a || !b) return false;
  if (a.pathname === b.pathname) return true;
  const tailA = tailOf(a.pathname);
  const tailB = tailOf(b.pathname);
  if (tailA === '' || tailB === '') return isRandomLooking(tailA || tailB);
  return tailA === tailB || (isRandomLooking(tailA) && isRandomLooking(tailB));
}

function tailOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.at(-1) ?? '';
}
