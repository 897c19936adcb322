// The least that reads pages into rows: undici, the tree of parse5 by cheerio's loader, css-select, a transaction of SQLite a page.
// `node bare-reader.ts <fields|links> <warm-up> <rounds> <database> <url ...>` prints what the rounds behind the warm-up cost.
import { DatabaseSync } from 'node:sqlite';
import { load } from 'cheerio';
import { selectAll, selectOne } from 'css-select';
import type { AnyNode, Element } from 'domhandler';
import { request } from 'undici';

const [kind = '', warmUp = '', rounds = '', path = '', ...urls] = process.argv.slice(2);

const database = new DatabaseSync(path);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE record (url TEXT, value TEXT) STRICT');
const insert = database.prepare('INSERT INTO record VALUES (?, ?)');

async function read(url: string): Promise<void> {
  const { body } = await request(url);
  const $ = load(await body.text());
  const root: AnyNode[] = $.root().toArray();
  const find = (selector: string): Element | null => selectOne<AnyNode, Element>(selector, root);
  const textOf = (element: Element | null): string => (element ? $(element).text().replace(/\s+/g, ' ').trim() : '');
  const rows =
    kind === 'fields'
      ? [{ title: textOf(find('title')), heading: textOf(find('h1')), link: find('a[href]')?.attribs['href'] }]
      : selectAll<AnyNode, Element>('a[href]', root).map((link) => ({ text: textOf(link), href: link.attribs['href'] }));
  database.exec('BEGIN');
  for (const row of rows) insert.run(url, JSON.stringify(row));
  database.exec('COMMIT');
}

async function round(): Promise<void> {
  for (const url of urls) await read(url);
}

for (let i = 0; i < Number(warmUp); i++) await round();
const before = process.cpuUsage();
for (let i = 0; i < Number(rounds); i++) await round();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpuMs: (user + system) / 1000 }));
