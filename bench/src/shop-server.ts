// A shop for measurements: `node shop-server.ts <port> <hosts>` listens on so many addresses from 127.0.0.2 on, and on 127.0.0.1.
// Products below /same stay as they are, those below /edit have another price each time.
import { createServer } from 'node:http';

const [port = 0, hosts = 0] = process.argv.slice(2).map(Number);
const asked = new Map<string, number>();

const related = Array.from(
  { length: 60 },
  (_, i) =>
    `<li class="card"><a href="/same/${i}"><img src="/i/${i}.jpg" alt=""><span class="name">Article ${i}</span></a> <span class="cost">$${i}.50</span></li>`,
).join('\n');
const text = Array.from({ length: 40 }, (_, i) => `<p>Paragraph ${i} tells of the wood, of the work, and of how it is sent.</p>`).join(
  '\n',
);

function productOf(path: string, price: string): string {
  const offer = { '@type': 'Offer', price, priceCurrency: 'USD', availability: 'https://schema.org/InStock' };
  const data = JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product', name: `Chair ${path}`, offers: offer });
  return `<!doctype html><html lang="en"><head><title>Chair ${path}</title><script type="application/ld+json">${data}</script></head><body>
<nav><a href="/">Home</a> <a href="/chairs">Chairs</a></nav><main><h1>Chair ${path}</h1><p class="price">USD ${price}</p>
<p class="stock">In stock</p><button>Add to cart</button>${text}</main><aside><ul>${related}</ul></aside><footer>Imprint</footer></body></html>`;
}

const server = () =>
  createServer((request, response) => {
    const { url = '/' } = request;
    if (url === '/robots.txt') return void response.writeHead(404).end();
    const times = url.startsWith('/edit') ? (asked.get(url) ?? 0) + 1 : 1;
    asked.set(url, times);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(productOf(url, `${100 + times}.00`));
  });

for (let i = 0; i <= hosts; i++) server().listen(port, `127.0.0.${i + 1}`);
