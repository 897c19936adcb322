// Refuses what a web page could send to the loopback address (D2): DNS rebinding, cross-site requests, odd targets. Never throws.

export interface OwnAddress {
  /** What `Host` must be, such as `127.0.0.1:8131`. */
  readonly host: string;
  /** What `Origin` must be with that host, where there is one. */
  readonly origin: string;
}

export interface RawRequest {
  /** The request target as received. */
  readonly target: string;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
}

/** True when the request may go on to authentication; it must name one of `addresses`. */
export function passesGuard(request: RawRequest, addresses: readonly OwnAddress[]): boolean {
  return isOwn(
    request,
    addresses,
    (sites) => sites.length === 0 || (sites.length === 1 && (sites[0] === 'same-origin' || sites[0] === 'none')),
  );
}

/** As `passesGuard`, and for a person whom another site led here: a top-level GET that changes nothing (D2). */
export function passesAsNavigation(request: RawRequest & { readonly method: string }, addresses: readonly OwnAddress[]): boolean {
  const is = (name: string, value: string) => {
    const values = valuesOf(request.rawHeaders, name);
    return values.length === 1 && values[0] === value;
  };
  const isNavigation = request.method === 'GET' && is('sec-fetch-mode', 'navigate') && is('sec-fetch-dest', 'document');
  return passesGuard(request, addresses) || (isNavigation && isOwn(request, addresses, (sites) => sites.length === 1));
}

function isOwn(request: RawRequest, addresses: readonly OwnAddress[], acceptsSites: (sites: readonly string[]) => boolean): boolean {
  const hosts = valuesOf(request.rawHeaders, 'host');
  const origins = valuesOf(request.rawHeaders, 'origin');
  const address = hosts.length === 1 ? addresses.find(({ host }) => host === hosts[0]) : undefined;
  return (
    address !== undefined &&
    request.target.startsWith('/') &&
    (origins.length === 0 || (origins.length === 1 && origins[0] === address.origin)) &&
    acceptsSites(valuesOf(request.rawHeaders, 'sec-fetch-site'))
  );
}

/** Most paths: nothing in them needs a second look. */
const PLAINEST = /^(?:\/[A-Za-z0-9_-]+)+$/;
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._~!$&'()*+,=:@%-]+$/;

/**
 * True when a path can only mean itself: no empty, dot, encoded-dot or encoded-slash segment, no `;`, no bad percent escape.
 * URL parsers fold such paths into others, so they are unknown paths here (F28).
 */
export function isPlainPath(path: string): boolean {
  if (path === '/' || PLAINEST.test(path)) return true;
  return path
    .slice(1)
    .split('/')
    .every((segment) => SEGMENT.test(segment) && !/%(?![0-9A-Fa-f]{2})|%2e|%2f|%5c|%00/i.test(segment));
}

/** The path and the query of a request target, as received. */
export function splitTarget(target: string): readonly [path: string, search: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

/** All values of a header, whatever its case. */
export function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) if (isNamed(rawHeaders[i] ?? '', name)) values.push(rawHeaders[i + 1] ?? '');
  return values;
}

/** Whether `header` is `name`, which is lower case. The length goes first: it settles nearly all of them. */
export function isNamed(header: string, name: string): boolean {
  return header.length === name.length && header.toLowerCase() === name;
}
