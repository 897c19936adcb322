// Which addresses are one network: an IPv4 address is one, and so is an IPv6 /56, which is what providers give a household (D44).
import { isIPv6 } from 'node:net';

const GROUP_BITS = 16;
const PREFIX_BITS = 56;

/** The network of an address as text. An IPv4 address in the form of IPv6 is that of the IPv4 address. */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%');
  const inner = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (inner !== undefined) return inner;
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  const whole = Math.floor(PREFIX_BITS / GROUP_BITS);
  const rest = (groups[whole] ?? 0) >> (GROUP_BITS - (PREFIX_BITS % GROUP_BITS));
  return `${[...groups.slice(0, whole), rest].map((group) => group.toString(16)).join(':')}/${PREFIX_BITS}`;
}

/** The eight groups of an address. */
function groupsOf(address: string): readonly number[] {
  // The parser of addresses writes the parts that are IPv4 as groups.
  const [, written = ''] = /^\[(.*)\]$/.exec(new URL(`http://[${address}]/`).hostname) ?? [];
  const [head = '', tail] = written.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(missing).fill('0'), ...right].map((group) => Number.parseInt(group, 16));
}
