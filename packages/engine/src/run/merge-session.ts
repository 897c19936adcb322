// One session of many sites: what a run leaves of those that it was at, and what was there of all others.
import type { StorageState } from './session.ts';

/** `left` with the cookies and storage of `before` for hosts and origins that `left` says nothing of. */
export function mergeSession(before: StorageState | undefined, left: StorageState): StorageState {
  if (!before) return left;
  const hosts = new Set(left.cookies.map(hostOf));
  const origins = new Set(left.origins.map(({ origin }) => origin));
  return {
    cookies: [...left.cookies, ...before.cookies.filter((cookie) => !hosts.has(hostOf(cookie)))],
    origins: [...left.origins, ...before.origins.filter(({ origin }) => !origins.has(origin))],
  };
}

function hostOf({ domain }: StorageState['cookies'][number]): string {
  return domain.replace(/^\./, '');
}
