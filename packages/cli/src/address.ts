// Addresses as people type them.

/** Hosts of this machine, where programs that are being written seldom have a certificate (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3). */
const LOOPBACK = /^(?:(?:[^/?#@]*\.)?localhost|127\.[\d.]+|\[::1\])(?::\d*)?(?:[/?#]|$)/i;

/** `url`, with `https://` before it where it names no scheme, or `http://` where it is a host of this machine. */
export function toUrl(url: string): string {
  if (url.includes('://')) return url;
  return `${LOOPBACK.test(url) ? 'http' : 'https'}://${url}`;
}
