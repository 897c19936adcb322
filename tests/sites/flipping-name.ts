// A public site whose name its owner can point at a private address at any moment, and what listens there.
import { createAddressGate } from '@weft/engine/io';
import type { AddressGate } from '../../packages/engine/src/io/gate/gate.ts';
import type { Resolve } from '../../packages/engine/src/io/gate/resolve.ts';
import type { DialTo } from '../../packages/engine/src/io/http/connections.ts';
import { reply, startRawServer } from './raw-server.ts';
import type { RawAnswer, RawRequest, RawServer } from './raw-server.ts';

const PUBLIC_ADDRESS = '93.184.216.34';

export interface FlippingName extends AsyncDisposable {
  /** `http://flip.test:<port>`; the private address listens on the same port. */
  readonly origin: string;
  readonly gate: AddressGate;
  readonly dialTo: DialTo;
  readonly site: RawServer;
  readonly victim: RawServer;
  /** Where the name points from now on. */
  point(to: 'public' | 'private'): void;
}

/** Any name is the site's; `answer` says what it shows. Nobody remembers a name: each look-up is answered anew, after `onLookUp`. */
export async function startFlippingName(
  answer: (request: RawRequest, flip: (to: 'public' | 'private') => void) => RawAnswer | undefined,
  onLookUp: (flip: (to: 'public' | 'private') => void) => void = () => undefined,
) {
  let points: 'public' | 'private' = 'public';
  const point = (to: 'public' | 'private') => void (points = to);
  const victim = await startRawServer(({ path }) => page(`secret of ${path}`, [`${path === '/' ? '' : path}/deeper`]));
  const site = await startRawServer((request) => answer(request, point));
  const resolve: Resolve = async () => {
    onLookUp(point);
    return [points === 'public' ? PUBLIC_ADDRESS : '127.0.0.1'];
  };
  const flipping: FlippingName = {
    origin: `http://flip.test:${victim.port}`,
    gate: createAddressGate({ mode: 'agent', resolve }),
    dialTo: (address, port) => (address === PUBLIC_ADDRESS ? { address: '127.0.0.1', port: site.port } : { address, port }),
    site,
    victim,
    point,
    async [Symbol.asyncDispose]() {
      await Promise.all([site.close(), victim.close()]);
    },
  };
  return flipping;
}

/** A page of its own with links, and `more` behind them. */
export function page(title: string, links: readonly string[], more = ''): Uint8Array {
  const body = `<title>${title}</title><main><h1>${title}</h1><p>${`What only ${title} says, and no other page does. `.repeat(4)}</p>${links.map((link) => `<a href="${link}">To ${link}</a>`).join(' ')}</main>${more}`;
  return reply({ headers: { 'Content-Type': 'text/html' }, body });
}
