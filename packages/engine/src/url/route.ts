// Fragments that are pages of their own: an application in the browser draws one for each.
import { decodeLoosely } from './decode-loosely.ts';

/** The fragment of `address` where it looks like a route (`#/cart`, `#!cart`), without space at its end; else ''. */
export function routeIn(address: string): string {
  const at = address.indexOf('#');
  return at >= 0 && /^#!?\/|^#!/.test(address.slice(at)) ? address.slice(at).trim() : '';
}

/** The address with its route as a part of its path, for what looks at paths alone; any other address as it is. */
export function routeAsPath(address: string): string {
  const route = routeIn(address);
  return route === '' ? address : `${address.slice(0, address.indexOf('#')).replace(/\/$/, '')}/%23${route.replace(/^#!?\/?/, '/')}`;
}

/**
 * The id that `address` names on the page at `pageUrl`; undefined where it leads elsewhere. A route says one in its query or behind another
 * `#`: `#/guide?id=setup`, `#/guide#setup`.
 */
export function placeOn(pageUrl: string, address: string): string | undefined {
  const [page = '', fragment = ''] = /^([^#]*)#?(.*)$/s.exec(address)?.slice(1) ?? [];
  if (page !== pageUrl.split('#', 1)[0]) return undefined;
  const route = routeIn(address);
  if (route === '') return fragment === '' ? undefined : decodeLoosely(fragment);
  const place = /(?:[?&]id=|.#)([^?&#=]+)$/.exec(route)?.[1];
  return place !== undefined && pathOf(route) === pathOf(routeIn(pageUrl)) ? decodeLoosely(place) : undefined;
}

function pathOf(route: string): string {
  return route.replace(/^#!?\/?/, '').replace(/[?&#].*$/s, '');
}
