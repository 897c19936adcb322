// Stands before a server, passes everything on as it comes and keeps a line for each request: the truth about a crawl.
import { type IncomingMessage, type ServerResponse, createServer, request as forward } from 'node:http';
import { Agent } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** One request that reached the server. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as they were asked for. */
  readonly target: string;
  readonly status: number;
  readonly contentType: string;
  /** What a browser asked for it as; undefined for programs that don't say. */
  readonly purpose: string | undefined;
  /** What the server sent, decoded; only where the proxy keeps it, and empty until all of it was passed on. */
  readonly body: { readonly bytes: Uint8Array } | undefined;
}

export interface CountingProxy {
  /** The requests since the last time this was asked. */
  take(): readonly SeenRequest[];
  stop(): Promise<void>;
}

/** Listens on host and port and passes each request, body and answer on to `inner` without waiting for the whole of any; `keepsBodies` keeps answers. */
export async function startCountingProxy(
  listen: { readonly host: string; readonly port: number },
  inner: { readonly host: string; readonly port: number },
  keepsBodies = false,
): Promise<CountingProxy> {
  let seen: SeenRequest[] = [];
  const agent = new Agent({ keepAlive: true });
  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = 'GET', url: target = '/' } = request;
    const onward = forward({ host: inner.host, port: inner.port, method, path: target, headers: request.rawHeaders, agent }, (answer) => {
      const status = answer.statusCode ?? 0;
      const purpose = String(request.headers['sec-fetch-dest'] ?? '') || undefined;
      const body = keepsBodies ? { bytes: new Uint8Array() } : undefined;
      if (body) void keepBody(answer, body);
      seen.push({ method, target, status, contentType: answer.headers['content-type'] ?? '', purpose, body });
      response.writeHead(status, answer.statusMessage, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on('error', () => {
      // The server had closed a connection that rested: the visitor would have asked again.
      if (onward.reusedSocket && method === 'GET' && !response.headersSent && !response.destroyed) pass(request, response);
      else response.destroy();
    });
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };
  const server = createServer(pass);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(listen.port, listen.host, resolve));
  return {
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** What ends before it is whole stays empty: its visitor has nothing either. */
async function keepBody(answer: IncomingMessage, body: { bytes: Uint8Array }): Promise<void> {
  const decode = DECODERS[answer.headers['content-encoding'] ?? ''];
  try {
    const whole = await buffer(answer);
    body.bytes = decode ? decode(whole) : whole;
  } catch {
    // Given up at its headers.
  }
}
