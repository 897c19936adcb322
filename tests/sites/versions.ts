// A site of pages that a test changes from version to version.
import type { IncomingMessage } from 'node:http';
import { serveOnLoopback } from './on-loopback.ts';
import type { LoopbackServer } from './on-loopback.ts';

/** What a page answers. */
export interface Version {
  readonly body: string | Uint8Array;
  /** 200 unless said. */
  readonly status?: number;
  /** HTML in UTF-8 unless said. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** With it a request that names it is answered 304. */
  readonly etag?: string;
}

export interface VersionedSite extends LoopbackServer {
  /** Requests so far, robots.txt left out. */
  readonly asked: readonly { readonly path: string; readonly method: string; readonly headers: IncomingMessage['headers'] }[];
  /** What `path` answers from now on; undefined ends the connection without an answer. */
  set(path: string, version: Version | string | undefined): void;
}

/** Starts it; a page that was never set is answered 404. */
export async function startVersionedSite(): Promise<VersionedSite> {
  const pages = new Map<string, Version | undefined>();
  const asked: { path: string; method: string; headers: IncomingMessage['headers'] }[] = [];
  const server = await serveOnLoopback((request, response) => {
    const { url: path = '/', method = 'GET', headers } = request;
    if (path !== '/robots.txt') asked.push({ path, method, headers });
    if (!pages.has(path)) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.');
    const version = pages.get(path);
    if (!version) return void request.socket.destroy();
    const { body, status = 200, type = 'text/html; charset=utf-8', etag } = version;
    const tag = etag === undefined ? {} : { etag };
    if (etag !== undefined && headers['if-none-match'] === etag) return void response.writeHead(304, tag).end();
    response.writeHead(status, { 'content-type': type, ...tag, ...version.headers }).end(body);
  });
  return {
    origin: server.origin,
    url: server.url,
    asked,
    set: (path, version) => void pages.set(path, typeof version === 'string' ? { body: version } : version),
    [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
  };
}
