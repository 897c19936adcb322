import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { largestSource, readImages } from './images.ts';

const read = (html: string) => readImages(parseTree(html, 'https://shop.test/a/'));
const urls = (html: string) => read(html).map(({ url }) => url.replace('https://shop.test', ''));

test('reads address, words and size', () => {
  assert.deepEqual(read('<img src="i.png" alt=" A  cup " width="40px" height="30">'), [
    { url: 'https://shop.test/a/i.png', alt: 'A cup', width: 40, height: 30 },
  ]);
});

const SOURCES: readonly [promise: string, html: string, expected: readonly string[]][] = [
  ['the largest of a source set', '<img src="/s.png" srcset="/m.png 400w, /l.png 800w">', ['/l.png']],
  ['the densest of a source set', '<img src="/s.png" srcset="/m.png, /l.png 2x">', ['/l.png']],
  ['the sources of a picture', '<picture><source srcset="/l.webp 900w"><img src="/s.png"></picture>', ['/l.webp']],
  ['the source that loads late', '<img src="data:image/gif;base64,R0lG" data-src="/late.png">', ['/late.png']],
  ['the set that loads late', '<img src="/blank.gif" data-srcset="/a.png 1x, /b.png 2x">', ['/b.png']],
  ['no data address alone', '<img src="data:image/gif;base64,R0lG">', []],
  ['no tracker', '<img src="/t.gif" width="1" height="1">', []],
  ['each address once', '<img src="/a.png"><img src="/a.png">', ['/a.png']],
  ['buttons that are pictures', '<input type="image" src="/go.png">', ['/go.png']],
  ['nothing of a template', '<template><img src="/a.png"></template>', []],
  ['no late source that is no address', '<img src="/a.png" data-lazy="true">', ['/a.png']],
];

for (const [promise, html, expected] of SOURCES) test(`takes ${promise}`, () => assert.deepEqual(urls(html), expected));

const SETS: readonly [srcset: string, expected: string | undefined][] = [
  ['/a.png', '/a.png'],
  ['/a.png 1x,/b.png 2x', '/b.png'],
  ['/a,b.png 100w, /c.png 200w', '/c.png'],
  ['  /a.png 10w ,\n /b.png 5w', '/a.png'],
  ['/a.png, /b.png', '/a.png'],
  ['data:image/gif;base64,AA== 1x', undefined],
  ['', undefined],
];

for (const [srcset, expected] of SETS) test(`reads srcset "${srcset}"`, () => assert.equal(largestSource(srcset), expected));
