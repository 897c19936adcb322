// Sites on loopback behind public names, so that every caller may crawl them and one crawl may lead from one to another.
import type { Fetcher } from '@weft/engine';
import { createAddressGate } from '@weft/engine/io';
import { createHttpFetcher } from '../../packages/engine/src/io/http/fetcher.ts';
import type { LocalSite } from './crawl-sites.ts';

/** A fetcher for which the sites by name (`shop.test`) stand at public addresses, port 80; anything else is unknown. */
export function fetcherOfSites(sites: Readonly<Record<string, LocalSite>>): Fetcher {
  const addresses = new Map(Object.keys(sites).map((name, i) => [name, `93.184.216.${i + 1}`]));
  const ports = new Map(Object.entries(sites).map(([name, { origin }]) => [addresses.get(name), Number(new URL(origin).port)]));
  const resolve = async (host: string) => {
    const address = addresses.get(host);
    if (address === undefined) throw Object.assign(new Error(`no such name: ${host}`), { code: 'ENOTFOUND' });
    return [address];
  };
  const dialTo = (address: string, port: number) => ({ address: '127.0.0.1', port: ports.get(address) ?? port });
  return createHttpFetcher({ gate: createAddressGate({ mode: 'agent', resolve }), dialTo });
}
