// What whoever watches a process asks it, on a port of its own and without a credential: its metrics, and whether it lives and is ready.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** An answer: text of a type. */
export interface InternalAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface InternalServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers GET for each of `paths`. Rejects with the system's error where the port is taken. */
export async function startInternalServer(
  { address, port }: { readonly address: string; readonly port: number },
  paths: Readonly<Record<string, () => Promise<InternalAnswer>>>,
): Promise<InternalServer> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const answer = Object.hasOwn(paths, path) ? paths[path] : undefined;
    const send = ({ status, type, body }: InternalAnswer) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }).end(body);
    if (!answer || (request.method !== 'GET' && request.method !== 'HEAD'))
      return void send({ status: 404, type: 'text/plain', body: `There is ${Object.keys(paths).join(', ')}.\n` });
    answer().then(send, () => send({ status: 500, type: 'text/plain', body: 'It could not be read.\n' }));
  });
  server.listen(port, address);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
