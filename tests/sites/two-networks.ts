// A public site and a private one for tests, both on loopback: names and addresses are told apart as on a real network.
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { createAddressGate } from '../../packages/engine/src/io/gate/gate.ts';
import type { AddressGate } from '../../packages/engine/src/io/gate/gate.ts';
import type { DialTo } from '../../packages/engine/src/io/http/connections.ts';
import { redirect, reply, startRawServer } from './raw-server.ts';
import type { RawRoutes, RawServer } from './raw-server.ts';

/** Every name ending in `.test` is a public site at this address, whatever its port. */
const PUBLIC_ADDRESS = '93.184.216.34';

/** Both sites, and what a fetcher needs to see them. */
export interface TwoNetworks {
  readonly gate: AddressGate;
  readonly dialTo: DialTo;
  /** `http://name.test/path` of the public site. */
  publicUrl(path: string, name?: string): string;
  /** Listens on loopback for TCP and, on a port of its own, for UDP. */
  readonly victim: RawServer & { readonly udpPort: number; readonly datagramCount: () => number };
  close(): Promise<void>;
}

/** Serves `routes` at public names, and a victim that answers everything on a private address. */
export async function startTwoNetworks(routes: (victimPort: number, udpPort: number) => RawRoutes): Promise<TwoNetworks> {
  const html = (body: string) => reply({ headers: { 'Content-Type': 'text/html' }, body });
  const victim = await startRawServer(({ path }) => {
    // Two ways by which a private page hands over to a public one.
    if (path === '/redirect') return redirect('http://site.test/steal');
    return path === '/move' ? html(`<script>location = 'http://site.test/steal'</script>`) : html('<p>secret');
  });
  const udp = createSocket('udp4');
  let datagrams = 0;
  udp.on('message', () => (datagrams += 1));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const udpPort = (udp.address() as AddressInfo).port;
  const site = await startRawServer(routes(victim.port, udpPort));
  let rebinds = 0;
  const resolve = async (host: string) => {
    // A name whose owner answers with a public address first, and with a private one from then on.
    if (host === 'rebind.test') return rebinds++ === 0 ? [PUBLIC_ADDRESS] : ['127.0.0.1'];
    if (host === 'inner.test') return ['127.0.0.1'];
    if (host.endsWith('.test')) return [PUBLIC_ADDRESS];
    throw Object.assign(new Error(`no such name: ${host}`), { code: 'ENOTFOUND' });
  };
  return {
    gate: createAddressGate({ mode: 'agent', resolve }),
    dialTo: (address, port) => (address === PUBLIC_ADDRESS ? { address: '127.0.0.1', port: site.port } : { address, port }),
    publicUrl: (path, name = 'site.test') => `http://${name}${path}`,
    victim: { ...victim, udpPort, datagramCount: () => datagrams },
    async close() {
      await Promise.all([site.close(), victim.close(), new Promise<void>((resolve) => udp.close(() => resolve()))]);
    },
  };
}
