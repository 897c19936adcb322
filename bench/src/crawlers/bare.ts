// The floor: downloads a known list of pages and does nothing with them. `node bare.ts <origin> <file of paths> <in flight>`.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { reportUse } from './report.ts';

const [origin = '', file = '', inFlight = ''] = process.argv.slice(2);
const paths = readFileSync(file, 'utf8').trimEnd().split('\n');
const pool = new Pool(origin, { connections: Number(inFlight) });
const report = reportUse();
let next = 0;
await Promise.all(
  Array.from({ length: Number(inFlight) }, async () => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const { body } = await pool.request({ path, method: 'GET' });
      await body.arrayBuffer();
    }
  }),
);
await pool.close();
report(paths.length);
