// The least that watches a page: undici, cheerio (parse5 and css-select), SHA-256, one row in SQLite a check.
// `node bare-checker.ts <origin> <same|edit> <pages> <rounds> <database>` prints what the rounds after the first cost.
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { load } from 'cheerio';
import { request } from 'undici';

const [origin = '', kind = '', pages = '', rounds = '', path = ''] = process.argv.slice(2);
const AT_ONCE = 8;

const database = new DatabaseSync(path);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE seen (url TEXT, hash TEXT, at INTEGER)');
const insert = database.prepare('INSERT INTO seen VALUES (?, ?, ?)');

async function check(url: string): Promise<void> {
  const { body } = await request(url);
  const text = load(await body.text())('.price').text();
  insert.run(url, createHash('sha256').update(text).digest('hex'), Date.now());
}

async function round(): Promise<void> {
  const left = Array.from({ length: Number(pages) }, (_, i) => `${origin}/${kind}/${i}`);
  const work = async () => {
    for (let url = left.pop(); url !== undefined; url = left.pop()) await check(url);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

await round();
const startedMs = performance.now();
const before = process.cpuUsage();
for (let i = 0; i < Number(rounds); i++) await round();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpuMs: (user + system) / 1000, wallMs: performance.now() - startedMs }));
