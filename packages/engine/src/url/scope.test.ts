import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileFilters, decideFilters } from './filters.ts';
import { findEnding } from './file-type.ts';
import { decideScope, findHost, isFolderPage, siteOf } from './scope.ts';

const NARROW = { allowSubdomains: false, allowExternalLinks: false, crawlEntireDomain: false };

test('keeps a crawl to the folder, host or domain that its options name, and says which option decided', () => {
  const cases: readonly (readonly [seed: string, url: string, options: Partial<typeof NARROW>, reason: string | undefined])[] = [
    ['https://shop.test/', 'https://shop.test/a', {}, undefined],
    ['https://shop.test/', 'http://www.shop.test/a', {}, undefined],
    ['https://www.shop.test/', 'https://shop.test/a', {}, undefined],
    ['https://shop.test/docs', 'https://shop.test/docs', {}, undefined],
    ['https://shop.test/wiki/Main_Page', 'https://shop.test/wiki/Page', {}, undefined],
    ['https://shop.test/wiki/Main_Page', 'https://shop.test/w/x', {}, 'outside_path'],
    ['https://shop.test/wiki/Main_Page', 'https://shop.test/wiki', {}, undefined],
    ['https://shop.test/about', 'https://shop.test/anything', {}, undefined],
    ['https://shop.test/docs/', 'https://shop.test/docs', {}, undefined],
    ['https://shop.test/docs/index.html', 'https://shop.test/docs/b.html', {}, undefined],
    ['https://shop.test/docs/', 'https://shop.test/docs-old', {}, 'outside_path'],
    ['https://shop.test/docs/', 'https://shop.test/', {}, 'outside_path'],
    ['https://shop.test/docs/', 'https://shop.test/', { crawlEntireDomain: true }, undefined],
    ['https://shop.test/', 'https://help.shop.test/', {}, 'subdomain'],
    ['https://shop.test/', 'https://help.shop.test/', { allowSubdomains: true }, undefined],
    ['https://docs.shop.test/', 'https://shop.test/', { allowSubdomains: true }, undefined],
    ['https://shop.test/', 'https://shop.test:8443/', { crawlEntireDomain: true }, 'off_site'],
    ['https://shop.test/', 'https://othershop.test/', { allowSubdomains: true }, 'off_site'],
    ['https://a.github.io/', 'https://b.github.io/', { allowSubdomains: true }, 'off_site'],
    ['https://a.co.uk/', 'https://b.co.uk/', { allowSubdomains: true }, 'off_site'],
    ['http://127.0.0.1:81/', 'http://127.0.0.1:82/', {}, 'off_site'],
    ['http://127.0.0.1:81/', 'http://127.0.0.1:81/a', {}, undefined],
    ['https://shop.test/', 'https://other.test/', { allowExternalLinks: true }, undefined],
  ];
  for (const [seed, url, options, reason] of cases) {
    const decision = decideScope({ ...NARROW, ...options }, [seed], url);
    assert.equal(decision.reason, reason, `${seed} ${url}`);
    assert.equal(decision.allowed, reason === undefined);
    assert.equal(decision.rule === undefined, reason === undefined);
  }
});

test('knows the page that begins a folder by where it leads', () => {
  const cases: readonly (readonly [url: string, links: readonly string[], isFolder: boolean])[] = [
    ['/docs', ['/', '/blog', '/pricing', '/docs/a'], true],
    ['/docs', ['/', '/blog', '/docs', '/docs-old/x'], false],
    ['/wiki/Main_Page', ['/wiki/A', '/wiki/B', '/wiki/Main_Page/Archive'], false],
    ['/en/docs', ['/en/', '/en/docs/a', '/en/docs/b'], true],
    ['/docs/v1.2', ['/docs/v1.2/a', '/docs/'], true],
    ['/docs/', ['/docs/a'], false],
    ['/index.php', ['/index.php/a'], false],
  ];
  for (const [path, links, isFolder] of cases) {
    const at = (link: string) => new URL(link, 'https://shop.test').href;
    assert.equal(isFolderPage(at(path), links.map(at)), isFolder, path);
  }
});

test('takes an address in when any of several seeds covers it', () => {
  assert.equal(decideScope(NARROW, ['https://a.test/x/', 'https://b.test/'], 'https://b.test/y').allowed, true);
  assert.equal(decideScope(NARROW, ['https://a.test/x/', 'https://b.test/z/'], 'https://b.test/y').reason, 'outside_path');
});

test('reads hosts and sites', () => {
  assert.equal(findHost('https://Shop.test:443/a'), 'https://shop.test');
  assert.equal(findHost('mailto:me@shop.test'), undefined);
  assert.equal(siteOf('a.b.shop.co.uk'), 'shop.co.uk');
  assert.equal(siteOf('127.0.0.1'), '127.0.0.1');
});

test('matches globs the way paths are read, and names the pattern that decided', () => {
  const cases: readonly (readonly [pattern: string, url: string, allowed: boolean])[] = [
    ['/blog/*', '/blog/a', true],
    ['/blog/*', '/blog/a/', true],
    ['/blog/*', '/blog/a/b', false],
    ['/blog/**', '/blog/a/b', true],
    ['/blog/**', '/blog/', true],
    ['/blog/**', '/blog', true],
    ['/blog/**', '/blogs/a', false],
    ['/blog', '/blog/', true],
    ['/blog/', '/blog', true],
    ['/blog', '/blog?page=2', true],
    ['/blog', '/blog/a', false],
    ['blog/*', '/blog/a', true],
    ['blog/*', '/x/blog/a', false],
    ['**/blog/*', '/x/y/blog/a', true],
    ['**/print', '/a/b/print', true],
    ['*.pdf', '/a/b.pdf', true],
    ['*.pdf', '/a.pdf/b', false],
    ['/*/reviews', '/p1/reviews', true],
    ['/*/reviews', '/p1/x/reviews', false],
    ['/{de,fr}/**', '/fr/a', true],
    ['/{de,fr}/**', '/en/a', false],
    ['/a{1,2{3,4}}', '/a24', true],
    ['/list?page=*', '/list?page=3', true],
    ['/list?page=*', '/list', false],
    ['*action=logout*', '/index.php?action=logout', true],
    ['*action=logout*', '/a/?back=/x/y&action=logout&z=/', true],
    ['*action=logout*', '/logout', false],
    ['/wiki/*action=edit*', '/wiki/index.php?title=A/B&action=edit', true],
    ['/list?back=/x/*', '/list?back=/x/y/z', true],
    ['/a=b', '/a=b?x=1', true],
    ['*.pdf', '/get?file=a.pdf', false],
    ['**', '/anything/at/all', true],
    ['/', '/', true],
    ['/', '/a', false],
    ['https://shop.test/a/**', '/a/b', true],
    ['http://shop.test/a/**', '/a/b', false],
    ['*://*/a', '/a', true],
    ['/Blog', '/blog', false],
    ['/a.b', '/axb', false],
    ['regex:/p/\\d+$', '/p/12', true],
    ['regex:/p/\\d+$', '/p/12x', false],
    ['regex:^https://shop\\.test/', '/x', true],
    ['regex:^https?:\\/\\/shop', '/x', true],
    ['regex:^/product', '/product/1', true],
    ['regex:^/product', '/a/product/1', false],
    ['regex:[?&]page=2$', '/list?page=2', true],
    ['regex:shop', '/x', false],
  ];
  for (const [pattern, path, allowed] of cases) {
    const decision = decideFilters(compileFilters([pattern], []), `https://shop.test${path}`);
    assert.deepEqual(decision, { allowed, reason: allowed ? undefined : 'not_included', rule: pattern }, `${pattern} ${path}`);
  }
});

test('lets exclusion win and everything else through when nothing is asked for', () => {
  const filters = compileFilters(['/a/**'], ['/a/b/**', 'regex:secret']);
  assert.deepEqual(decideFilters(filters, 'https://shop.test/a/b/c'), { allowed: false, reason: 'excluded', rule: '/a/b/**' });
  assert.deepEqual(decideFilters(filters, 'https://shop.test/a/secret'), { allowed: false, reason: 'excluded', rule: 'regex:secret' });
  assert.deepEqual(decideFilters(filters, 'https://shop.test/a/d'), { allowed: true, reason: undefined, rule: '/a/**' });
  assert.deepEqual(decideFilters(compileFilters([], []), 'https://shop.test/'), { allowed: true, reason: undefined, rule: undefined });
});

test('refuses a pattern that can not be compiled and decides hostile ones in bounded time', () => {
  assert.throws(() => compileFilters(['regex:('], []), /The pattern "regex:\(" can't be used/);
  assert.throws(() => compileFilters(['{a,b}'.repeat(9)], []), SyntaxError);
  const text = `https://shop.test/${'a'.repeat(2_000)}`;
  assert.equal(decideFilters(compileFilters([`/${'*a'.repeat(200)}b`], []), text).allowed, false);
  assert.equal(decideFilters(compileFilters(['regex:(a+)+$'], []), `${text}!`).allowed, false);
});

test('knows the endings that could be those of files', () => {
  assert.equal(findEnding('https://shop.test/a.JPG?x=1'), '.jpg');
  assert.equal(findEnding('https://shop.test/a.tar.gz'), '.gz');
  assert.equal(findEnding('https://shop.test/wiki/Node.js'), '.js');
  assert.equal(findEnding('https://shop.test/a.html'), undefined);
  assert.equal(findEnding('https://shop.test/a.b/'), undefined);
  assert.equal(findEnding('https://site.zip'), undefined);
  assert.equal(findEnding('https://shop.test/get?file=a.zip'), undefined);
});
