// Says what kind of place an IP address is. Pure: the gate decides with it what may be reached.
import ipaddr from 'ipaddr.js';

/** `embedded` is an IPv6 form that carries an IPv4 address inside (mapped, NAT64, 6to4, Teredo, ...). */
export type AddressClass =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link_local'
  | 'metadata'
  | 'unspecified'
  | 'multicast'
  | 'embedded'
  | 'reserved'
  | 'invalid';

/** Addresses at which clouds hand out credentials; some of them look like plain unicast. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
]);

const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data',
  'instance-data.ec2.internal',
]);

const CLASS_BY_RANGE: Readonly<Record<string, AddressClass>> = {
  unicast: 'public',
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  carrierGradeNat: 'private',
  linkLocal: 'link_local',
  unspecified: 'unspecified',
  multicast: 'multicast',
  broadcast: 'multicast',
  ipv4Mapped: 'embedded',
  rfc6145: 'embedded',
  rfc6052: 'embedded',
  '6to4': 'embedded',
  teredo: 'embedded',
};

/** IANA gives out global IPv6 unicast from 2000::/3 alone; anything else that looks like unicast is not. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** IPv4-compatible addresses (RFC 4291 section 2.5.5.1), deprecated but still dialled by some systems. */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

/** The class of an IP address in its usual spelling (four decimals, or IPv6 without brackets); `invalid` for anything else. */
export function classifyAddress(ip: string): AddressClass {
  const address = parseAddress(ip);
  if (!address) return 'invalid';
  if (METADATA_ADDRESSES.has(address.toString())) return 'metadata';
  const found = CLASS_BY_RANGE[address.range()] ?? 'reserved';
  if (found !== 'public' || !(address instanceof ipaddr.IPv6)) return found;
  if (address.match(IPV4_COMPATIBLE)) return 'embedded';
  return address.match(GLOBAL_UNICAST_V6) ? 'public' : 'reserved';
}

/** True for `localhost` and names below it, which RFC 6761 keeps on the machine itself; `host` is lower-case. */
export function isLocalhostName(host: string): boolean {
  const name = withoutRootDot(host);
  return name === 'localhost' || name.endsWith('.localhost');
}

/** True for the names of the clouds' metadata services; `host` is lower-case. */
export function isMetadataName(host: string): boolean {
  return METADATA_NAMES.has(withoutRootDot(host));
}

/** The host of a parsed URL as a resolver wants it: no brackets, no trailing root dot. */
export function bareHost(url: URL): string {
  const { hostname } = url;
  return hostname.startsWith('[') ? hostname.slice(1, -1) : withoutRootDot(hostname);
}

/** True when `host`, as `bareHost` gives it, is an address and not a name. */
export function isAddressLiteral(host: string): boolean {
  return parseAddress(host) !== undefined;
}

function withoutRootDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function parseAddress(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip);
  return ip.includes(':') && ipaddr.IPv6.isValid(ip) ? ipaddr.IPv6.parse(ip) : undefined;
}
