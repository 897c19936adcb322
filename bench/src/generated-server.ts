// Serves a tree of small pages that nothing but a crawler would want: `node generated-server.ts <port> <pages>`.
import { createServer } from 'node:http';

const LINKS = 20;

const [port = '', count = ''] = process.argv.slice(2);
const pages = Number(count);

createServer((request, response) => {
  const number = request.url === '/' ? 0 : Number(/^\/p\/(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN);
  if (!(number < pages)) return response.writeHead(404).end();
  return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(number));
}).listen(Number(port), '127.0.0.1');

/** Page n links to the pages 20n + 1 to 20n + 20, so that every page is linked to once. */
function pageOf(number: number): string {
  const targets = Array.from({ length: LINKS }, (_, i) => number * LINKS + i + 1).filter((target) => target < pages);
  const links = targets.map((target) => `<a href="/p/${target}">${target}</a>`).join(' ');
  return `<title>${number}</title><p>Page ${number} says what no other page says: ${number * 7919}.</p>${links}`;
}
