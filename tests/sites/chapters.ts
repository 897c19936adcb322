// A site of pages that lead to each other, with a sitemap of its own.
import { serveOnLoopback } from './on-loopback.ts';

/** `pages` pages behind a first one, each of which links to two; its requests in their order. */
export async function chapterSite(pages: number) {
  const requests: string[] = [];
  const link = (n: number) => (n <= pages ? `<p>See <a href="/${n}">chapter ${n}</a>, which is about the number ${n}.</p>` : '');
  const site = await serveOnLoopback((request, response) => {
    const { url: path = '/' } = request;
    requests.push(path);
    if (path === '/robots.txt') return void response.writeHead(404).end();
    if (path === '/sitemap.xml') {
      response.writeHead(200, { 'content-type': 'application/xml' });
      return void response.end(`<urlset><url><loc>http://${request.headers.host}/${pages}</loc></url></urlset>`);
    }
    const n = Number(path.slice(1));
    response.writeHead(path === '/' || (n >= 1 && n <= pages) ? 200 : 404, { 'content-type': 'text/html' });
    response.end(`<title>${n}</title><h1>Chapter ${n}</h1>${link(2 * n + 1)}${link(2 * n + 2)}`);
  });
  return { ...site, start: `${site.origin}/`, requests, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}
