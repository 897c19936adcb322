// Addresses as people type them.
import { hostname, networkInterfaces } from 'node:os';

/** Hosts of this machine, where programs that are being written seldom have a certificate (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3). */
const LOOPBACK = /^(?:(?:[^/?#@]*\.)?localhost|127\.[\d.]+|\[::1\])(?::\d*)?(?:[/?#]|$)/i;

/** Names and addresses by which this machine is reached from itself. */
function ownHosts(): ReadonlySet<string> {
  const own = hostname().toLowerCase();
  const addresses = Object.values(networkInterfaces()).flatMap((interfaces = []) => interfaces.map(({ address }) => address));
  return new Set([own, `${own}.local`, '0.0.0.0', ...addresses]);
}

/** `url`, with `https://` before it where it names no scheme, or `http://` where it is a host of this machine. */
export function toUrl(url: string): string {
  if (url.includes('://')) return url;
  const [host = ''] = /^[^/?#:]+/.exec(url) ?? [];
  const isOwn = LOOPBACK.test(url) || ownHosts().has(host.toLowerCase());
  return `${isOwn ? 'http' : 'https'}://${url}`;
}
