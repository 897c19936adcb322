// The one gate before every outbound connection: decides from URL and resolved addresses whether a target may be dialled.
import { networkInterfaces } from 'node:os';
import { bareHost, classifyAddress, isAddressLiteral, isLocalhostName, isMetadataName } from '../../url/address.ts';
import type { NameMemory } from '../../ports.ts';
import type { AddressClass } from '../../url/address.ts';
import { refusalError } from './refusal.ts';
import { createSystemResolve, untilAborted } from './resolve.ts';
import type { Resolve } from './resolve.ts';
import { REFUSED_PORTS } from './service-ports.ts';

/** What a gate lets through. */
export interface AddressPolicy {
  /** `public`: the hosted service, where a request can't open private targets. `agent`: the user's own machine. */
  readonly mode: 'public' | 'agent';
  /** `host:port` pairs that may be private: the operator's list in `public` mode, the caller's own URLs in `agent` mode. */
  readonly privateTargets?: readonly string[];
  /** Ports of our own servers, never reached on this machine or on any address that is not public. */
  readonly ownPorts?: readonly number[];
  /** When given, no other port is reached; else 80, 443 and every port from 1024 that is not known to serve something else. */
  readonly allowedPorts?: readonly number[];
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
}

/** Who leads to the target. */
export interface Visit {
  /** `host:port` pairs named by the caller's own URL; heeded in `agent` mode only. */
  readonly privateTargets?: readonly string[];
  /** `public` once a public page has led here (redirect, link, subresource): named private targets no longer count. */
  readonly from?: 'caller' | 'public';
  /** Told of where the name was found; what it does not admit is refused. */
  readonly names?: NameMemory | undefined;
}

/** A target that may be dialled, at these addresses and no others. */
export interface CheckedTarget {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  /** At least one, in the order to try. */
  readonly addresses: readonly string[];
  /** `private` when any of the addresses is not on the public internet. */
  readonly reach: 'public' | 'private';
}

/** Decides before each connection whether a target may be reached, and at which addresses. */
export interface AddressGate {
  /**
   * The addresses at which `url` may be dialled; names are looked up once, so dial these and don't look up again.
   * Throws PageError `address` for a refused target; the resolver's own error passes through.
   */
  check(url: string, visit: Visit, signal: AbortSignal): Promise<CheckedTarget>;
}

/** What a caller may name. Everything else that is not public (metadata, embedded IPv4, reserved) is refused to everybody. */
const NAMEABLE: ReadonlySet<AddressClass> = new Set<AddressClass>(['public', 'loopback', 'private', 'link_local']);
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];
const PRIVILEGED_WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** A gate that applies `policy` to every target it is asked about. */
export function createAddressGate(policy: AddressPolicy): AddressGate {
  const resolve = policy.resolve ?? createSystemResolve();
  const policyTargets = targetSet(policy.privateTargets);
  const internal = policy.mode === 'public' ? 'unlisted' : 'internal';
  return {
    async check(url, visit, signal) {
      const parsed = requireWebUrl(url);
      const host = bareHost(parsed);
      const port = portOf(parsed);
      const isNamed = isNamedTarget(policy, policyTargets, visit, parsed);
      if (!isPortAllowed(policy, port, isNamed)) throw refusalError('port', url);
      if (isMetadataName(host) || (isLocalhostName(host) && !isNamed)) throw refusalError(internal, url);
      const addresses = await addressesOf(host, resolve, signal);
      const classes = addresses.map(classifyAddress);
      const isReachable = classes.length > 0 && classes.every((each) => each === 'public' || (isNamed && NAMEABLE.has(each)));
      if (!isReachable || isOwnServer(policy, port, addresses, classes)) throw refusalError(internal, url);
      const reach = classes.every((each) => each === 'public') ? 'public' : 'private';
      if (visit.names?.admit(parsed.href, reach) === false) throw refusalError(internal, url);
      return { url: parsed, host, port, addresses, reach };
    },
  };
}

function requireWebUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (!parsed) throw refusalError('unparsable', url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') throw refusalError('scheme', url);
  if (parsed.username !== '' || parsed.password !== '') throw refusalError('user_info', url);
  parsed.hash = '';
  return parsed;
}

async function addressesOf(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  if (isAddressLiteral(host)) return [host];
  return isLocalhostName(host) ? LOOPBACK_ADDRESSES : await untilAborted(resolve(host, signal), signal);
}

function isNamedTarget(policy: AddressPolicy, policyTargets: ReadonlySet<string>, visit: Visit, url: URL): boolean {
  const target = `${bareHost(url)}:${portOf(url)}`;
  // An operator's list holds for every visit; a caller's only until a public page has led on.
  if (policy.mode === 'public') return policyTargets.has(target);
  if (visit.from === 'public') return false;
  return policyTargets.has(target) || targetSet(visit.privateTargets).has(target);
}

function targetSet(targets: readonly string[] = []): ReadonlySet<string> {
  const urls = targets.map((target) => URL.parse(`http://${target}`)).filter((url) => url !== null);
  return new Set(urls.map((url) => `${bareHost(url)}:${portOf(url)}`));
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function isPortAllowed(policy: AddressPolicy, port: number, isNamed: boolean): boolean {
  if (policy.allowedPorts) return policy.allowedPorts.includes(port) && !REFUSED_PORTS.has(port);
  if (REFUSED_PORTS.has(port)) return false;
  return isNamed || port >= 1024 || PRIVILEGED_WEB_PORTS.has(port);
}

/** Our own server also answers at this machine's public addresses, so a public class alone does not clear an own port. */
function isOwnServer(policy: AddressPolicy, port: number, addresses: readonly string[], classes: readonly AddressClass[]): boolean {
  if (!policy.ownPorts?.includes(port)) return false;
  if (classes.some((each) => each !== 'public')) return true;
  const own = new Set(
    Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .map((entry) => entry.address),
  );
  return addresses.some((address) => own.has(address));
}
