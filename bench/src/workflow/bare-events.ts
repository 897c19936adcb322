// The least that asks a site and tells of it: node:http and undici. `node bare-events.ts <port> <origin> <events>`.
import { createServer } from 'node:http';
import { request } from 'undici';

const [port = '0', origin = '', events = '0'] = process.argv.slice(2);

createServer((asked, response) => {
  if (asked.url !== '/events') response.end();
  else {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void tell((text) => response.write(text)).then(() => response.end());
  }
}).listen(Number(port), '127.0.0.1');

async function tell(write: (text: string) => void): Promise<void> {
  for (let place = 0; place < Number(events); place++) {
    const { statusCode, body } = await request(`${origin}/answer/${place}`);
    await body.text();
    write(`id: ${place}\ndata: ${JSON.stringify({ seq: place, type: 'step', status: 'succeeded', code: statusCode })}\n\n`);
  }
}
