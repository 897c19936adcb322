// Knows proxies by the names that settings give them; who may use them is kept elsewhere.
import { PageError } from '../../errors.ts';
import type { FindProxy, ProxyServer } from './connect.ts';

/** Gives user and password of a proxy; undefined for one that wants none. */
export type FindProxyLogin = (name: string) => Promise<{ readonly username: string; readonly password: string } | undefined>;

/** Finds the proxies of `proxies`, each time with what `findLogin` says of it by then. */
export function proxyFinder(proxies: Readonly<Record<string, ProxyServer>>, findLogin?: FindProxyLogin): FindProxy {
  return async (name) => {
    const server = Object.hasOwn(proxies, name) ? proxies[name] : undefined;
    if (!server) throw noProxy(name);
    return { ...server, ...(await findLogin?.(name)) };
  };
}

/** The proxy of that name. Throws PageError `connect` where the program has none. */
export async function requireProxy(find: FindProxy | undefined, name: string): Promise<ProxyServer> {
  if (!find) throw noProxy(name);
  return await find(name);
}

function noProxy(name: string): PageError {
  return new PageError('connect', `There is no proxy named "${name.slice(0, 80)}". Name one of \`proxies\` in config.json.`, {
    next: 'drop',
  });
}
