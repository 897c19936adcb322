// Jobs that need no code, as a person types them: real processes against a real agent and a site on loopback.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import readXlsxFile from 'read-excel-file/node';
import type { TestAgent } from '../agent.ts';
import { startTestAgent } from '../agent.ts';
import type { RawServer } from '../sites/raw-server.ts';
import { reply, startRawServer } from '../sites/raw-server.ts';
import { parseStrictCsv } from '../strict-csv.ts';

const WEFT = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
const html = (body: string, title = 'Shelf') =>
  reply({ headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: `<!doctype html><html lang="en"><title>${title}</title>${body}` });

const book = (n: number, extra = '') =>
  `<li class="book"><h3><a href="/books/${n}">Book number ${n}</a></h3><p class="about">It tells of ${n} lanterns and a whale.</p><span class="price">$${n}.50</span>${extra}</li>`;
const shelf = (from: number, to: number, next: string) =>
  html(
    `<main><h1>The shelf</h1><ul class="books">${Array.from({ length: to - from + 1 }, (_, i) => book(from + i)).join('')}</ul>
    <nav class="pagination">${next === '' ? '' : `<a rel="next" href="${next}">Next page</a>`}</nav></main>`,
  );

const ROUTES = {
  '/robots.txt': reply({ headers: { 'Content-Type': 'text/plain' }, body: 'User-agent: *\nDisallow: /shut' }),
  '/shelf/': shelf(1, 6, '/shelf/?page=2'),
  '/shelf/?page=2': shelf(6, 11, '/shelf/?page=3'),
  '/shelf/?page=3': shelf(12, 14, ''),
  '/endless/': shelf(1, 6, '/endless/?page=2'),
  '/endless/?page=2': shelf(1, 6, '/endless/?page=3'),
  '/button/': html(
    `<main><h1>The shelf</h1><ul>${Array.from({ length: 6 }, (_, i) => book(i + 1)).join('')}</ul><button>Load more</button></main>`,
  ),
  '/open/': shelf(1, 6, '/shut/?page=2'),
  '/breaks/': shelf(1, 6, '/breaks/?page=2'),
  '/manual/': html(
    '<main><h1>Manual</h1><p>Begin with <a href="first.html">the first chapter</a>, or <a href="first.html#two">its second part</a>, and go on to <a href="sub/?q=1&amp;r=2">the rest</a>. <a href="https://elsewhere.test/">Elsewhere</a> there is more.</p><pre>[code](first.html)</pre></main>',
    'Manual',
  ),
  '/manual/first.html': html(
    '<main><h1>First \u2013 chapter</h1><p>Back to <a href="./">the manual</a>, then a sentence that says enough.</p><h2 id="two">Two</h2><p>See <a href="con.html">a device</a> and <a href="../manual/FIRST.html">another case</a>.</p></main>',
    'First',
  ),
  '/manual/FIRST.html': html(
    '<main><h1>Loud first</h1><p>This one is quite different from the other, as all can see who read it.</p></main>',
    'Loud',
  ),
  '/manual/con.html': html(
    '<main><h1>Device</h1><p>Nothing on Windows may be called that, so it is called otherwise here.</p></main>',
    'Device',
  ),
  '/manual/sub/?q=1&r=2': html(
    '<main><h1>The rest</h1><p>Up to <a href="/manual/first.html">the first chapter</a> again, with words enough to keep.</p></main>',
    'Rest',
  ),
};

let agent: TestAgent;
let site: RawServer;
before(async () => {
  site = await startRawServer(ROUTES);
  agent = await startTestAgent();
});
after(async () => {
  await agent[Symbol.asyncDispose]();
  await site.close();
});

async function weftWith(input: string, ...args: string[]) {
  const env = { ...process.env, HOME: agent.home, SERVICE_HOME: agent.home, SERVICE_API_URL: agent.baseUrl, SERVICE_TOKEN: agent.token };
  const child = spawn(process.execPath, [WEFT, ...args], { env, cwd: agent.home, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err, code: await ended };
}
const weft = (...args: string[]) => weftWith('', ...args);
const at = (path: string) => `${site.origin}${path}`;
const csvOf = (out: string) => parseStrictCsv(out);

suite('weft extract --list --pages', { timeout: 600_000 }, () => {
  test('follows a list to its last page and writes one row an item', async () => {
    const { out, err, code } = await weft('extract', at('/shelf/'), '--list', '--pages', '20', '-f', 'csv', '--fields', 'price,title,url');
    assert.equal(code, 0);
    const [head, ...rows] = csvOf(out);
    assert.deepEqual(head, ['price', 'title', 'url']);
    assert.deepEqual(
      rows.map(([price]) => price),
      Array.from({ length: 14 }, (_, i) => `$${i + 1}.50`),
    );
    assert.deepEqual(rows[0], ['$1.50', 'Book number 1', at('/books/1')]);
    assert.match(err, /3 pages, 14 rows, 1 left out that had come before\. That is the last page\.\n$/);
  });

  test('the ending of a file says how it is written', async () => {
    const args = ['extract', at('/shelf/'), '--css', 'h3'];
    const written = async (ending: string, ...more: string[]) => {
      const file = join(agent.home, `titles.${ending}`);
      assert.equal((await weft(...args, '-o', file, ...more)).code, 0);
      return readFileSync(file);
    };
    assert.match((await written('csv')).toString(), /^value\r\nBook number 1\r\n/);
    assert.deepEqual((await readXlsxFile(await written('xlsx')))[0]?.data[1], ['Book number 1']);
    assert.match((await written('txt')).toString(), /^Book number 1\nBook number 2\n/);
    assert.match((await written('csv', '-f', 'text')).toString(), /^Book number 1\n/);
    const { code, err } = await weft(...args, '-o', join(agent.home, 'titles.parquet'));
    assert.deepEqual([code, /parquet is not written here; take one of text, json, csv/.test(err)], [2, true]);
  });

  test('writes the same rows as JSON, JSON lines and a workbook', async () => {
    const args = ['extract', at('/shelf/'), '--list', '--pages', '2', '--fields', 'title'];
    const rows = Array.from({ length: 11 }, (_, i) => ({ title: `Book number ${i + 1}` }));
    assert.deepEqual(JSON.parse((await weft(...args, '-f', 'json')).out), rows);
    const lines = await weft(...args, '-f', 'jsonl');
    assert.deepEqual(
      lines.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
      rows,
    );
    assert.match(lines.err, /2 pages, 11 rows.* The list goes on; 2 pages were asked for; it goes on at http.*page=3/);
    const file = join(agent.home, 'books.xlsx');
    assert.equal((await weft(...args, '-f', 'xlsx', '-o', file)).code, 0);
    assert.deepEqual((await readXlsxFile(readFileSync(file)))[0]?.data.slice(0, 2), [['title'], ['Book number 1']]);
  });

  const STOPS: readonly (readonly [name: string, path: string, says: RegExp, code: number])[] = [
    ['a page that brings nothing new', '/endless/', /2 pages, 6 rows, 6 left out .*page=2 brought nothing new/, 0],
    ['a button', '/button/', /1 page, 6 rows. The page has a button "Load more", .*was not read.\nTry: {3}weft api build http/, 0],
    ['a page that robots.txt forbids', '/open/', /1 page, 6 rows. robots.txt forbids .*Disallow: \/shut.*it goes on at/, 0],
    ['a page that can not be had', '/breaks/', /1 page, 6 rows. .*could not be read. .*404/, 3],
  ];
  for (const [name, path, says, exit] of STOPS)
    test(`stops at ${name}, and says so`, async () => {
      const { out, err, code } = await weft('extract', at(path), '--list', '--pages', '20', '-f', 'csv');
      assert.equal(csvOf(out).length, 7);
      assert.match(err, says);
      assert.equal(code, exit);
    });
});

suite('rows of crawls and datasets', { timeout: 600_000 }, () => {
  test('a crawl of lists is a table with a row an item, columns as they were chosen', async () => {
    const file = join(agent.home, 'rows.csv');
    const { code, err } = await weft(
      'crawl',
      at('/shelf/'),
      '--limit',
      '3',
      '-f',
      'records',
      '-o',
      file,
      '--fields',
      'title,price,page_url',
    );
    assert.equal(code, 0, err);
    const [head, ...rows] = csvOf(readFileSync(file, 'utf8'));
    assert.deepEqual(head, ['title', 'price', 'page_url']);
    assert.deepEqual(rows[0], ['Book number 1', '$1.50', at('/shelf/')]);
    assert.equal(rows.length, 15);
  });

  test('a dataset is exported so too, in every format', async () => {
    const [dataset] = (await agent.client.datasets.list({})) instanceof Response ? [] : await listed();
    const id = String(dataset?.id);
    const csv = csvOf((await weft('dataset', 'export', id, '--items', '--fields', 'price,title', '-f', 'csv')).out);
    assert.deepEqual(csv.slice(0, 2), [
      ['price', 'title'],
      ['$1.50', 'Book number 1'],
    ]);
    const rows = JSON.parse((await weft('dataset', 'export', id, '--items', '--fields', 'title')).out) as object[];
    assert.deepEqual(rows[0], { title: 'Book number 1' });
    const pages = csvOf((await weft('dataset', 'export', id, '--fields', 'title,url,absent', '-f', 'csv')).out);
    assert.deepEqual(pages.slice(0, 2), [
      ['title', 'url', 'absent'],
      ['Shelf', at('/shelf/'), ''],
    ]);
    const lines = (await weft('dataset', 'export', id, '--items', '--fields', 'title', '-f', 'jsonl')).out;
    assert.equal(lines.split('\n')[0], '{"title":"Book number 1"}');
    assert.equal((await weft('dataset', 'export', id, '--fields', ',')).code, 2);
  });
});

async function listed() {
  const list = await agent.client.datasets.list({});
  return list instanceof Uint8Array || list instanceof Response || typeof list === 'string' ? [] : list.data;
}

suite('weft crawl -o folder/', { timeout: 600_000 }, () => {
  test('writes a file a page, with links that lead to files, and overwrites nothing unasked', async () => {
    const folder = join(agent.home, 'manual');
    const { code, err } = await weft('crawl', at('/manual/'), '-o', `${folder}/`, '-f', 'markdown,html');
    assert.equal(code, 0, err);
    assert.match(err, /wrote 10 files to .*manual\//);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
    const below = ['manual/_con', 'manual/first', 'manual/FIRST~2', 'manual/index', 'manual/sub/index@q=1&r=2'];
    const found = files
      .filter((name) => name.includes('.'))
      .map((name) => name.toLowerCase())
      .toSorted();
    assert.deepEqual(
      found,
      below
        .flatMap((name) => [`${name}.html`, `${name}.md`])
        .map((name) => name.toLowerCase())
        .toSorted(),
    );
    const index = readFileSync(join(folder, 'manual', 'index.md'), 'utf8');
    assert.match(index, /\[the first chapter\]\(first\.md\)/);
    assert.match(index, /\[its second part\]\(first\.md#two\)/);
    assert.match(index, /\[the rest\]\(sub\/index%40q%3D1%26r%3D2\.md\)/);
    assert.match(index, /\(https:\/\/elsewhere\.test\/\)/);
    assert.match(index, /\[code\]\(first\.html\)/);
    const page = readFileSync(join(folder, 'manual', 'sub', 'index@q=1&r=2.html'), 'utf8');
    assert.match(page, /<meta charset="utf-8">[^]*<a href="\.\.\/first\.html">/);
    const again = await weft('crawl', at('/manual/'), '-o', folder);
    assert.equal(again.code, 2);
    assert.match(again.err, /holds something already; .*--force/);
    assert.equal((await weft('crawl', at('/manual/'), '-o', folder, '--force')).code, 0);
  });

  test('says what was not written', async () => {
    const { err } = await weft('crawl', at('/manual/'), '-o', join(agent.home, 'none/'), '-f', 'records');
    assert.match(err, /A folder takes markdown, text, html, not records/);
    assert.ok(!existsSync(join(agent.home, 'none')));
  });
});

suite('lists of addresses', { timeout: 600_000 }, () => {
  test('addresses come as arguments, from a file and on standard input, each once, and a bad one ends no other', async () => {
    const list = join(agent.home, 'urls.txt');
    writeFileSync(list, `\ufeff# chapters\r\n${at('/manual/con.html')}\r\n\r\n${at('/absent')}\n`);
    const { out, err, code } = await weftWith(`${at('/manual/first.html')}\n`, 'scrape', at('/manual/con.html'), '-', '-i', list);
    assert.equal(code, 3);
    assert.match(out, /^==> .*con\.html <==\n# Device[^]*==> .*first\.html <==\n# First/);
    assert.equal(out.match(/==> /g)?.length, 2);
    assert.match(err, /absent answered 404[^]*1 of 3 addresses failed/);
  });

  test('several formats are one object a page', async () => {
    const { out } = await weft('scrape', at('/manual/con.html'), at('/manual/FIRST.html'), '-f', 'text,links', '-o', '-');
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.map((line) => Object.keys(line)),
      [
        ['url', 'title', 'text', 'links'],
        ['url', 'title', 'text', 'links'],
      ],
    );
    assert.equal((await weft('scrape', at('/manual/'), '-f', 'markdwon')).code, 2);
  });

  test('under --json all of them are one document, what failed included', async () => {
    const { out, code } = await weft('scrape', at('/absent'), at('/manual/con.html'), '--json');
    const [first, second] = JSON.parse(out) as Record<string, unknown>[];
    assert.deepEqual([first?.['url'], first?.['code'], second?.['title'], code], [at('/absent'), 'http_status', 'Device', 3]);
  });

  test('pages that are scraped go into a folder as those of a crawl', async () => {
    const folder = join(agent.home, 'pages');
    const { code } = await weft('scrape', at('/manual/'), at('/manual/first.html'), '-o', `${folder}/`);
    assert.equal(code, 0);
    assert.match(readFileSync(join(folder, 'manual', 'first.md'), 'utf8'), /\[the manual\]\(index\.md\)/);
  });

  test('several crawls go into one file, or to standard output, which holds nothing else', async () => {
    const { out, err, code } = await weft('crawl', at('/manual/con.html'), at('/manual/FIRST.html'), '--limit', '1', '-o', '-');
    assert.equal(code, 0, err);
    assert.deepEqual(
      out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { title: string }).title),
      ['Device', 'Loud'],
    );
    assert.match(err, /pages +1 fetched/);
    assert.equal((await weft('crawl', at('/manual/'), at('/shelf/'), '-o', join(agent.home, 'x.csv'))).code, 2);
  });

  test('pages go into one document where the file is named so, and into no file that is named for something else', async () => {
    const file = join(agent.home, 'pages.json');
    const args = ['crawl', at('/manual/con.html'), at('/manual/FIRST.html'), '--limit', '1'];
    assert.equal((await weft(...args, '-o', file)).code, 0);
    assert.deepEqual(
      (JSON.parse(readFileSync(file, 'utf8')) as { title: string }[]).map(({ title }) => title),
      ['Device', 'Loud'],
    );
    const { code, err } = await weft(...args, '-o', join(agent.home, 'pages.md'));
    assert.deepEqual([code, /markdown is not written here; take one of jsonl, json, csv, xlsx/.test(err)], [2, true], err);
  });

  test('extracts of several pages say where each row was found', async () => {
    const { out, code } = await weft(
      'extract',
      at('/manual/con.html'),
      at('/absent'),
      at('/manual/FIRST.html'),
      '--css',
      'h1',
      '-f',
      'csv',
    );
    assert.deepEqual(csvOf(out), [
      ['page_url', 'value'],
      [at('/manual/con.html'), 'Device'],
      [at('/manual/FIRST.html'), 'Loud first'],
    ]);
    assert.equal(code, 3);
  });
});

suite('what selectors point at', { timeout: 600_000 }, () => {
  const VALUES: readonly (readonly [flag: string, selector: string, lines: readonly string[]])[] = [
    ['--css', 'main a@href', ['/manual/', '/manual/con.html', '/manual/FIRST.html']],
    ['--css', 'main a::attr(href)', ['/manual/', '/manual/con.html', '/manual/FIRST.html']],
    ['--xpath', '//main//a/@href', ['/manual/', '/manual/con.html', '/manual/FIRST.html']],
  ];
  for (const [flag, selector, paths] of VALUES)
    test(`${selector} is addresses that can be asked for`, async () =>
      assert.equal((await weft('extract', at('/manual/first.html'), flag, selector)).out, paths.map((path) => `${at(path)}\n`).join('')));

  test('::text is the text of an element itself', async () =>
    assert.equal((await weft('extract', at('/manual/con.html'), '--css', 'h1::text')).out, 'Device\n'));

  test('no match is said, and is exit 1 where a match is required', async () => {
    const found = await weft('extract', at('/manual/con.html'), '--css', '.none');
    assert.deepEqual([found.out, found.code], ['', 0]);
    assert.match(found.err, /nothing on .*con\.html matches --css \.none/);
    assert.equal((await weft('extract', at('/manual/con.html'), '--css', '.none', '--require')).code, 1);
    assert.equal((await weft('extract', at('/manual/con.html'), '--css', 'h1', '--require')).code, 0);
  });
});

suite('slips', { timeout: 600_000 }, () => {
  for (const [typed, meant] of [
    ['stauts', 'weft status'],
    ['lsit', 'weft crawl list'],
    ['ledger', 'weft crawl show --ledger'],
  ] as const)
    test(`weft crawl ${typed} crawls nothing and names ${meant}`, async () => {
      const { count } = await agent.client.crawl.list({});
      const { err, code } = await weft('crawl', typed);
      assert.equal(code, 2);
      assert.ok(err.includes(`did you mean ${meant}?`), err);
      assert.equal((await agent.client.crawl.list({})).count, count);
    });

  test('weft crawl 12 crawls nothing and names weft crawl show', async () => {
    const { count } = await agent.client.crawl.list({});
    const { err, code } = await weft('crawl', '12');
    assert.equal(code, 2);
    assert.match(err, /"12" is no address\.[^]*weft crawl show 12/);
    assert.equal((await agent.client.crawl.list({})).count, count);
  });
});
