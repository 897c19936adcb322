import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedFiles } from './listing.ts';

const SITE = 'https://files.test';

function listed(address: string, targets: readonly string[]): readonly string[] {
  const links = targets.map((target) => ({ url: SITE + target, kind: 'anchor', isNoFollow: false }) as const);
  return [...listedFiles(SITE + address, { links })].map((url) => url.slice(SITE.length));
}

test('knows the files of a folder as servers list them', () => {
  const children = ['/pub/a.tar.gz', '/pub/sub/', '/pub/photo.JPG', '/pub/read.me', '/pub/index.html', '/pub/paper.pdf'];
  assert.deepEqual(listed('/pub/', ['/', ...children]), ['/pub/a.tar.gz', '/pub/photo.JPG']);
  assert.deepEqual(listed('/pub/?C=N;O=D', ['/pub/?C=N;O=A', '/pub/?C=M;O=A', ...children]), ['/pub/a.tar.gz', '/pub/photo.JPG']);
  assert.deepEqual(listed('/', ['/', '/a.zip', '/pub/']), ['/a.zip']);
});

test('takes no page for a listing that leads anywhere else, or nowhere up', () => {
  for (const [address, ...targets] of [
    ['/wiki/', '/', '/wiki/Map.png', '/help'],
    ['/wiki/', '/', '/wiki/Map.png', '/wiki/a/b'],
    ['/wiki/', '/', '/wiki/Map.png', '/wiki/Map.png?action=history'],
    ['/wiki/', '/wiki/Map.png', '/wiki/Home'],
    ['/wiki', '/', '/Map.png'],
  ] as const)
    assert.deepEqual(listed(address, targets), [], `${address} ${targets.join(' ')}`);
});
