// Fragments that are pages of their own: an application in the browser draws one for each.

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
