// Many hosts on loopback addresses of their own, each of which can be made to fail in the ways in which hosts do.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a host can stand. `refused`: nothing listens there. `silent`: it takes connections and says nothing. */
export const FAILINGS = ['500', '403', 'reset', 'refused', 'silent', 'empty', 'login'] as const;
export type Failing = (typeof FAILINGS)[number];

const PAGES: Readonly<Partial<Record<Failing, readonly [status: number, body: string]>>> = {
  '500': [500, '<title>500</title><h1>Internal Server Error</h1>'],
  '403': [403, '<title>403 Forbidden</title><h1>Forbidden</h1><p>You do not have access to this resource.</p>'],
  empty: [200, '<!doctype html><html><head></head><body></body></html>'],
  login: [
    200,
    `<!doctype html><html lang="en"><title>Sign in</title><body><h1>Sign in</h1><p>Please sign in to continue.</p>
     <form method="post" action="/login"><label>User <input name="user"></label><label>Password <input type="password" name="password"></label>
     <button>Sign in</button></form></body></html>`,
  ],
};

/** One of them. */
export class FailingHost implements AsyncDisposable {
  readonly origin: string;
  private readonly server: Server;
  private readonly address: readonly [port: number, host: string];
  private failing: Failing | undefined;

  constructor(server: Server, page: (path: string) => string) {
    const { address, port } = server.address() as AddressInfo;
    this.server = server;
    this.address = [port, address];
    this.origin = `http://${address}:${port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.answer(request, response, page));
  }

  /** Makes it fail, or be well again; connections that are open end. */
  async set(failing: Failing | undefined): Promise<void> {
    const before = this.failing;
    this.failing = failing;
    if (failing === 'refused' && before !== 'refused') await this.stopListening();
    this.server.closeAllConnections();
    if (failing === 'refused' || before !== 'refused') return;
    this.server.listen(...this.address);
    await once(this.server, 'listening');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.failing !== 'refused') await this.stopListening();
  }

  private async stopListening(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private answer(request: IncomingMessage, response: ServerResponse, page: (path: string) => string): void {
    if (this.failing === 'silent') return;
    if (this.failing === 'reset') return void request.socket.resetAndDestroy();
    const { url = '/' } = request;
    const robots = url === '/robots.txt' ? ([404, ''] as const) : undefined;
    const [status, body] = (this.failing && PAGES[this.failing]) ?? robots ?? [200, page(url)];
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body);
  }
}

/** Starts `count` hosts, each on an address of its own; `page` is what they answer while they are well. */
export async function startFailingHosts(count: number, page: (path: string) => string): Promise<readonly FailingHost[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const server = createServer().listen(0, `127.0.0.${i + 2}`);
      await once(server, 'listening');
      return new FailingHost(server, page);
    }),
  );
}
