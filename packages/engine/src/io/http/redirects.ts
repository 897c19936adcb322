// Decides where an answer leads. Pure: the fetcher walks, this says where to.
import { PageError } from '../../errors.ts';
import { shownUrl } from '../gate/refusal.ts';

/** One answer that led on, and the address that gave it. */
export interface Hop {
  readonly url: string;
  readonly status: number;
}

/** 300 offers a choice and 305 names a proxy: neither is followed. */
const FOLLOWED: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The address to ask next, or undefined when this answer is the page (no redirect, or a Location that is absent or empty).
 * Throws PageError `bad_response` for a Location that is no URL and for two that differ.
 */
export function decideRedirect(url: string, status: number, locations: readonly string[]): string | undefined {
  const [location = '', ...others] = locations.map((each) => each.trim());
  if (!FOLLOWED.has(status) || location === '') return undefined;
  if (others.some((other) => other !== location)) {
    throw new PageError('bad_response', `${shownUrl(url)} redirects to ${others.length + 1} places at once.`, {
      url: shownUrl(url),
      status,
      next: 'drop',
    });
  }
  const next = URL.parse(readAsUtf8(location), url);
  if (!next)
    throw new PageError('bad_response', `${shownUrl(url)} redirects to an address that is no URL.`, {
      url: shownUrl(url),
      status,
      next: 'drop',
    });
  next.hash = '';
  return next.href;
}

/** Header bytes arrive as Latin-1; browsers read a Location as UTF-8 when it is. */
function readAsUtf8(location: string): string {
  if (!/[\x80-\xff]/.test(location)) return location;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(location, (character) => character.charCodeAt(0)));
  } catch {
    return location;
  }
}

/** The method after a redirect, as the Fetch standard has it (section 4.4): 303 and a redirected POST become GET. */
export function redirectedMethod(method: string, status: number): string {
  if (status === 303) return method === 'HEAD' ? 'HEAD' : 'GET';
  return (status === 301 || status === 302) && method === 'POST' ? 'GET' : method;
}

/** The error for a chain that comes back to a request already made; `chain` is oldest first. */
export function redirectLoop(chain: readonly Hop[], next: string): PageError {
  return new PageError('redirect_loop', `The redirects go round in a circle: ${chainText(chain, next)}.`, {
    url: shownUrl(chain[0]?.url ?? next),
  });
}

/** The error for a chain that is longer than `redirectsMax`; `chain` is oldest first. */
export function redirectLimit(chain: readonly Hop[], next: string, redirectsMax: number): PageError {
  return new PageError('redirect_limit', `More than ${redirectsMax} redirects: ${chainText(chain, next)}.`, {
    url: shownUrl(chain[0]?.url ?? next),
  });
}

const HOP_SHOWN_MAX = 120;

function chainText(chain: readonly Hop[], next: string): string {
  const step = (url: string) => shownUrl(url).slice(0, HOP_SHOWN_MAX);
  return [...chain.map((hop) => `${step(hop.url)} (${hop.status})`), step(next)].join(' -> ');
}
