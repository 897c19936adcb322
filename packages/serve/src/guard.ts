// Refuses what a web page could send to the loopback address (D2): DNS rebinding, cross-site requests, odd targets. Never throws.

export interface OwnAddress {
  /** The only accepted Host, `127.0.0.1:<port>`. */
  readonly host: string;
  /** The only accepted Origin. */
  readonly origin: string;
}

export interface RawRequest {
  /** The request target as received. */
  readonly target: string;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
}

/** Same sentence for every refusal; it names the address to use because `localhost` is the usual cause. */
export function guardSentence(own: OwnAddress): string {
  return `This request was refused before authentication: call ${own.origin} with that exact Host, and not from a web page of another origin.`;
}

/** True when the request may go on to authentication. */
export function passesGuard(request: RawRequest, own: OwnAddress): boolean {
  const hosts = valuesOf(request.rawHeaders, 'host');
  const origins = valuesOf(request.rawHeaders, 'origin');
  const sites = valuesOf(request.rawHeaders, 'sec-fetch-site');
  return (
    hosts.length === 1 &&
    hosts[0] === own.host &&
    request.target.startsWith('/') &&
    (origins.length === 0 || (origins.length === 1 && origins[0] === own.origin)) &&
    (sites.length === 0 || (sites.length === 1 && (sites[0] === 'same-origin' || sites[0] === 'none')))
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
