// Serves a folder of HTML pages on loopback and keeps the log that is the truth about a crawl: `node docs-server.ts <port> <folder>`.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

/** What `/__log` answers. */
export interface SiteLog {
  /** Path -> how often it was asked for. */
  readonly asked: Readonly<Record<string, number>>;
  /** Milliseconds between the first and the last request. */
  readonly spanMs: number;
}

const [port = '', folder = ''] = process.argv.slice(2);
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript' };

const bodies = new Map<string, Buffer | undefined>();
let asked: Record<string, number> = {};
let firstMs = 0;
let lastMs = 0;

createServer((request, response) => {
  const path = decodeURIComponent((request.url ?? '/').split('?', 1)[0] ?? '/');
  if (path === '/__log') return response.end(JSON.stringify({ asked, spanMs: lastMs - firstMs } satisfies SiteLog));
  if (path === '/__reset') {
    asked = {};
    firstMs = 0;
    return response.end();
  }
  lastMs = performance.now();
  firstMs ||= lastMs;
  asked[path] = (asked[path] ?? 0) + 1;
  const body = bodyOf(path);
  if (!body) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream', 'content-length': body.length }).end(body);
}).listen(Number(port), '127.0.0.1');

function bodyOf(path: string): Buffer | undefined {
  if (!bodies.has(path)) {
    const file = join(folder, normalize(path));
    bodies.set(path, existsSync(file) && statSync(file).isFile() ? readFileSync(file) : undefined);
  }
  return bodies.get(path);
}
