// Addresses as people type them.
import { statSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { CommandError, EXIT } from './exit.ts';
import { shellWord } from './shell-word.ts';

/** Hosts of this machine, where programs that are being written seldom have a certificate (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3). */
const LOOPBACK = /^(?:(?:[^/?#@]*\.)?localhost|127\.[\d.]+|\[::1\])(?::\d*)?(?:[/?#]|$)/i;

/** Names and addresses by which this machine is reached from itself. */
function ownHosts(): ReadonlySet<string> {
  const own = hostname().toLowerCase();
  const addresses = Object.values(networkInterfaces()).flatMap((interfaces = []) => interfaces.map(({ address }) => address));
  return new Set([own, `${own}.local`, '0.0.0.0', ...addresses]);
}

/** Schemes without `//`, which else read like a host with a port or a login. */
const OTHER_SCHEME = /^(?:about|blob|data|javascript|mailto|sms|tel|view-source):/i;

/** A place in the file system, not a name on the network. */
const PATH = /^(?:~|\.{1,2})?\//;

/** `url`, with `https://` before it where it names no scheme, or `http://` where it is a host of this machine. Throws CommandError for a file. */
export function toUrl(url: string): string {
  if (url.includes('://')) return url;
  if (OTHER_SCHEME.test(url)) throw noAddress(`"${url}" is no address of a page; pages are read by http and https.`);
  if (PATH.test(url) || isFile(url))
    throw noAddress(
      `"${url}" is a file or a folder, and this command reads addresses. A saved page is read with its address; a list of addresses is named by --input.`,
      `weft parse ${shellWord(url)} --url https://example.com/`,
    );
  const [host = ''] = /^[^/?#:]+/.exec(url) ?? [];
  const isOwn = LOOPBACK.test(url) || ownHosts().has(host.toLowerCase());
  return `${isOwn ? 'http' : 'https'}://${url}`;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function noAddress(message: string, ...next: string[]): CommandError {
  return new CommandError(message, { exitCode: EXIT.usage, code: 'bad_request', next });
}
