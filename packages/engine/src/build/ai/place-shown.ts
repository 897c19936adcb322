// Addresses as a model is shown them.
import { decodeLoosely } from '../../url/decode-loosely.ts';
import { isRandomLooking } from '../../url/trap-class.ts';

const VALUE_CHARS = 40;

/** Path and query of an address on the web; values that look like made by a program are left out, for some of them let in whoever has them. */
export function placeOf(href: string): string {
  const url = URL.parse(href);
  if (!url || !/^https?:$/.test(url.protocol)) return '';
  const pairs = [...url.searchParams].map(
    ([name, value]) => `${name}=${value.length > VALUE_CHARS || isRandomLooking(value) ? '…' : value}`,
  );
  return decodeLoosely(url.pathname) + (pairs.length > 0 ? `?${pairs.join('&')}` : '');
}
