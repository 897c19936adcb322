// What proving functions again may cost.
import type { BuiltFunction } from '../functions/built-function.ts';

/** Calls of one recheck beyond those of its certificate: other words, where the site has nothing more for the first. */
const OTHER_CALLS_MAX = 4;
/** Credits for a page, by lane (D43). */
export const PRICE = { http: 1, browser: 2 } as const;

/** The most that proving `functions` again may cost, in credits. */
export function recheckPrice(functions: readonly BuiltFunction[]): number {
  return functions.reduce((sum, built) => sum + requestsMaxOf(built) * PRICE[built.candidate.lane], 0);
}

/** The most answers that one recheck asks the site for: a form, or a token, is read off a page of its own before each call. */
export function requestsMaxOf({ candidate: { way, paging }, certificate }: BuiltFunction): number {
  const hasPageBefore = way.kind === 'form' || way.kind === 'control' || (way.kind === 'request' && way.tokenFrom !== undefined);
  const pages = paging && paging.mode !== 'input' ? paging.pagesMax : 1;
  return (certificate.probes.length + OTHER_CALLS_MAX) * (pages + (hasPageBefore ? 1 : 0));
}
