import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmptyLinks } from './empty-links.ts';
import type { LinkEnd } from './empty-links.ts';

const at = (path: string) => new URL(path, 'https://tracker.test');

function seen(links: readonly (readonly [path: string, parent: string, end: LinkEnd])[], memory = new EmptyLinks()): EmptyLinks {
  for (const [path, parent, end] of links) memory.observe(at(path), at(parent).href, end);
  return memory;
}

const on = (count: number, link: (name: string) => string, end: LinkEnd) =>
  Array.from({ length: count }, (_, i) => [link(`p${i}`), `/p${i}`, end] as const);

test('ends a tool, an action or a last word that was refused on five pages, and what lies beside it never', () => {
  const cases = [
    ['/issues/12/quote', '/issues/12/notes'],
    ['/wiki/Special:Links/Garden', '/wiki/Special:List/Garden'],
    ['/index.php?title=Special:Links/Garden&n=5', '/index.php?title=Garden&n=5'],
    ['/index.php?do=reply&id=12', '/index.php?do=show&id=12'],
    ['/wiki/12?version=0', '/wiki/12?version=1'],
    ['/?route=/server/process/stop/12', '/?route=/server/process'],
  ] as const;
  for (const [path, other] of cases) {
    const link = (name: string) => path.replace(/12|Garden/, name);
    assert.equal(seen(on(4, link, 'refused')).find(at(path)), undefined, path);
    assert.match(seen(on(5, link, 'refused')).find(at(path)) ?? '', /on 5 pages led to no page/, path);
    assert.equal(seen(on(5, link, 'refused')).find(at(other)), undefined, other);
  }
});

test('ends a command that was refused on two pages', () => {
  for (const path of ['/wiki/12/edit', '/index.php?action=delete&id=12']) {
    const link = (name: string) => path.replace('12', name);
    assert.equal(seen(on(1, link, 'refused')).find(at(path)), undefined, path);
    assert.match(seen(on(2, link, 'refused')).find(at(path)) ?? '', /on 2 pages led to no page/, path);
    assert.equal(seen([[link('own'), '/own', 'page'], ...on(9, link, 'refused')]).find(at(path)), undefined, path);
  }
});

test('believes ten that moved to what was known, and none of a class that had a page or stands on one page alone', () => {
  const link = (name: string) => `/issues/${name}/edit`;
  assert.equal(seen(on(9, link, 'moved')).find(at(link('x'))), undefined);
  assert.notEqual(seen(on(10, link, 'moved')).find(at(link('x'))), undefined);
  assert.equal(seen([[link('own'), '/own', 'page'], ...on(10, link, 'refused')]).find(at(link('x'))), undefined);
  const list = on(10, link, 'refused').map(([path, , end]) => [path, '/list', end] as const);
  assert.equal(seen(list).find(at(link('x'))), undefined);
});

test('takes no folder, script or parameter for a class', () => {
  for (const path of ['/things/12', '/things/12/', '/show.php?id=12', '/show.php?title=News', '/news', '/12?version=0'])
    assert.equal(seen(on(20, (name) => path.replace('12', name), 'refused')).find(at(path)), undefined, path);
});

test('knows after a restart what it knew before', () => {
  const link = (name: string) => `/issues/${name}/edit`;
  const saved = JSON.parse(JSON.stringify(seen(on(5, link, 'refused')))) as ReturnType<EmptyLinks['toJSON']>;
  assert.notEqual(new EmptyLinks(saved).find(at(link('x'))), undefined);
});
