// Users and passwords of egress proxies (D52): secrets, bound to the proxy's own origin, looked up when a proxy is asked.
import { AppError } from '@weft/contract';
import { PageError } from '@weft/engine';
import type { Secrets } from './secret.ts';

/** A proxy of the settings. */
export interface ProxySetting {
  readonly url: string;
  /** The key of the secret that holds its `user:password`. */
  readonly secret?: string | undefined;
}

interface Login {
  readonly username: string;
  readonly password: string;
}

/** What the fetcher asks, which is made before there are secrets. */
export interface ProxyLogins {
  /** User and password of the proxy of that name; undefined for one that wants none. Throws PageError `connect` where they can't be had. */
  find(name: string): Promise<Login | undefined>;
  /** From now on logins are those of `secrets`. */
  open(secrets: Pick<Secrets, 'valueFor'>): void;
}

export function createProxyLogins(proxies: Readonly<Record<string, ProxySetting>>): ProxyLogins {
  let secrets: Pick<Secrets, 'valueFor'> | undefined;
  return {
    async find(name) {
      const proxy = Object.hasOwn(proxies, name) ? proxies[name] : undefined;
      if (proxy?.secret === undefined || !secrets) return undefined;
      try {
        const value = secrets.valueFor(proxy.secret, originOf(proxy.url));
        const at = value.indexOf(':');
        return at < 0 ? { username: value, password: '' } : { username: value.slice(0, at), password: value.slice(at + 1) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        throw new PageError('connect', `The proxy "${name}" wants a login. ${error.message}`, { next: 'drop', cause: error });
      }
    },
    open: (opened) => void (secrets = opened),
  };
}

/** What its secret is bound to: secrets know web origins alone, so that of a SOCKS proxy is written with http. */
function originOf(url: string): string {
  return new URL(url.replace(/^socks5:/, 'http:')).origin;
}
