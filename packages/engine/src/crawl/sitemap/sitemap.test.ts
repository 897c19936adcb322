import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readSitemap } from './sitemap.ts';
import type { SitemapLimits } from './sitemap.ts';
import { sitemapCandidates, walkSitemaps } from './sitemap-walk.ts';

const HERE = 'https://shop.test/sitemap.xml';

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += size) yield Uint8Array.from(bytes.subarray(at, at + size));
}

async function read(
  text: string | Uint8Array,
  limits: SitemapLimits = {},
  size = 4_096,
): Promise<{ urls: readonly string[]; end: string }> {
  const urls: string[] = [];
  const reader = readSitemap(pieces(typeof text === 'string' ? Buffer.from(text) : text, size), HERE, limits);
  for (;;) {
    const step = await reader.next();
    if (step.done) return { urls, end: step.value };
    urls.push(
      ...step.value.map((entry) => `${entry.kind} ${entry.url.replace('https://shop.test', '')} ${entry.lastModified ?? ''}`.trim()),
    );
  }
}

test('reads every form of sitemap', async () => {
  const cases: readonly (readonly [text: string, urls: readonly string[]])[] = [
    [
      '<urlset><url><loc>https://shop.test/a</loc><lastmod>2026-11-20</lastmod></url><url><loc>/b</loc></url></urlset>',
      ['page /a 2026-11-20', 'page /b'],
    ],
    [
      '<?xml version="1.0"?>\n<urlset xmlns="http://wrong.test/ns">\n<url>\n<loc>\nhttps://shop.test/a?x=1&amp;y=2#z\n</loc></url></urlset>',
      ['page /a?x=1&y=2'],
    ],
    ['<s:urlset xmlns:s="x"><s:url><s:loc>/a</s:loc></s:url></s:urlset>', ['page /a']],
    ['<urlset xmlns:image="i"><url><loc>/a</loc><image:image><image:loc>/a.png</image:loc></image:image></url></urlset>', ['page /a']],
    [
      '<urlset xmlns:xhtml="x"><url><loc>/a</loc><xhtml:link rel="alternate" hreflang="de" href="/de/a"/></url></urlset>',
      ['page /de/a', 'page /a'],
    ],
    ['<urlset><url><loc><![CDATA[https://shop.test/a?b&c]]></loc></url></urlset>', ['page /a?b&c']],
    ['<sitemapindex><sitemap><loc>/one.xml.gz</loc><lastmod>2026</lastmod></sitemap></sitemapindex>', ['sitemap /one.xml.gz 2026']],
    ['<rss><channel><item><guid>https://shop.test/a</guid></item></channel></rss>', ['page /a']],
    ['<rss><channel><item><guid>https://shop.test/a</guid><link>/b</link></item></channel></rss>', ['page /b']],
    ['<rss><channel><item><guid isPermaLink="false">https://shop.test/a</guid></item><item><guid>7</guid></item></channel></rss>', []],
    ['<rss><channel><link>/not-an-item</link><item><link>/a</link><pubDate>Fri</pubDate></item></channel></rss>', ['page /a Fri']],
    [
      '<feed><link href="/not-an-entry"/><entry><link rel="self" href="/self"/><link href="/a"/><updated>2026</updated></entry></feed>',
      ['page /a 2026'],
    ],
    ['\ufeffhttps://shop.test/a\r\n\r\n  https://shop.test/b  \nnot an address\nhttps://shop.test/c', ['page /a', 'page /b', 'page /c']],
    ['  \n<urlset><url><loc>/a</loc></url></urlset>', ['page /a']],
    ['<urlset><url><loc>javascript:1</loc></url><url><loc></loc></url><url><loc>/a</loc><loc>/second</loc></url></urlset>', ['page /a']],
  ];
  for (const [text, urls] of cases) {
    assert.deepEqual(await read(text), { urls, end: 'complete' }, text);
    assert.deepEqual(await read(text, {}, 1), { urls, end: 'complete' }, `byte by byte: ${text}`);
    assert.deepEqual(await read(gzipSync(text), {}, 7), { urls, end: 'complete' }, `compressed: ${text}`);
  }
});

test('expands no entity and reads no outside file', async () => {
  const laughs = Array.from({ length: 30 }, (_, i) => `<!ENTITY l${i + 1} "&l${i};&l${i};&l${i};&l${i};">`).join('');
  const bomb = `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY l0 "lol">${laughs}]><urlset><url><loc>/a</loc></url><url><loc>/&l30;</loc></url></urlset>`;
  assert.equal((await read(bomb)).urls[0], 'page /a');
  const outside =
    '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>/&x;</loc></url><url><loc>/b</loc></url></urlset>';
  assert.ok((await read(outside)).urls.every((url) => !url.includes('root')));
});

test('keeps what came before a fault, a cut or a limit', async () => {
  const many = `<urlset>${Array.from({ length: 500 }, (_, i) => `<url><loc>/${i}</loc></url>`).join('')}</urlset>`;
  assert.equal((await read(many)).urls.length, 500);
  assert.deepEqual(
    [(await read(many, { entriesMax: 10 })).urls.length, (await read(many, { entriesMax: 10 })).end],
    [10, 'too_many_entries'],
  );
  assert.equal((await read(many, { bytesMax: 5_000 })).end, 'too_large');
  assert.deepEqual([(await read(many.slice(0, 3_000))).urls.length > 80, (await read(many.slice(0, 3_000))).end], [true, 'broken']);
  assert.equal((await read(gzipSync(many).subarray(0, 900), {}, 100)).end, 'broken');
  assert.deepEqual((await read('<urlset><url><loc>/a</loc></url><url><loc>/b & c</loc></url>')).urls[0], 'page /a');
});

test('stops at a bomb of gzip', async () => {
  assert.equal((await read(gzipSync(Buffer.alloc(30_000_000, 32)), { bytesMax: 1_000_000 })).end, 'too_large');
});

test('knows what is no sitemap', async () => {
  for (const text of ['', '   ', '<!doctype html><html><body><a href="/a">a</a></body></html>', '<rubbish/>']) {
    assert.deepEqual(await read(text), { urls: [], end: 'no_sitemap' }, text);
  }
});

test('walks indexes once, notices cycles and stays within its limits', async () => {
  const index = (...names: readonly string[]) =>
    `<sitemapindex>${names.map((name) => `<sitemap><loc>${name}</loc></sitemap>`).join('')}</sitemapindex>`;
  const files: Readonly<Record<string, string>> = {
    '/sitemap.xml': index('/one.xml', '/two.xml', '/sitemap.xml'),
    '/one.xml': '<urlset><url><loc>/a</loc></url></urlset>',
    '/two.xml': index('/one.xml', '/gone.xml', '/deep.xml'),
    '/deep.xml': index('/deeper.xml'),
  };
  const open = async (url: string) => {
    const text = files[new URL(url).pathname];
    return text === undefined ? undefined : pieces(Buffer.from(text), 16);
  };
  const seen: string[] = [];
  for await (const step of walkSitemaps([HERE, HERE], open, { depthMax: 2 })) {
    if (step.kind === 'pages') seen.push(...step.pages.map((page) => `page ${new URL(page.url).pathname}`));
    else seen.push(`${step.file.end} ${new URL(step.file.url).pathname}`);
  }
  assert.deepEqual(seen, [
    'cycle /sitemap.xml',
    'complete /sitemap.xml',
    'page /a',
    'complete /one.xml',
    'cycle /one.xml',
    'complete /two.xml',
    'unavailable /gone.xml',
    'too_deep /deeper.xml',
    'complete /deep.xml',
  ]);
});

test('looks where robots.txt says, else in the usual places', () => {
  assert.deepEqual(sitemapCandidates('https://shop.test/docs/', ['/maps/a.xml', 'https://cdn.test/b.xml']), [
    'https://shop.test/maps/a.xml',
    'https://cdn.test/b.xml',
  ]);
  assert.deepEqual(sitemapCandidates('https://shop.test/docs/', []), [
    'https://shop.test/docs/sitemap.xml',
    'https://shop.test/sitemap.xml',
    'https://shop.test/sitemap_index.xml',
  ]);
});
