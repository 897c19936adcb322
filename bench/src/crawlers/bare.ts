// The floor: downloads a known list of pages and does nothing with them. `node bare.ts <origin> <file of paths> <in flight>`.
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { reportUse } from './report.ts';

const [origin = '', file = '', inFlight = ''] = process.argv.slice(2);
const paths = readFileSync(file, 'utf8').trimEnd().split('\n');
const agent = new Agent({ keepAlive: true, maxSockets: Number(inFlight) });
const report = reportUse();
let next = 0;
await Promise.all(
  Array.from({ length: Number(inFlight) }, async () => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) await download(origin + path);
  }),
);
agent.destroy();
report(paths.length);

function download(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(void Buffer.concat(chunks)));
    }).on('error', reject);
  });
}
