import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTree } from '../../html/tree.ts';
import { readLinks } from './links.ts';

const read = (html: string) => readLinks(parseTree(html, 'https://www.shop.test/a/b?x=1'));

test('lists links in document order with their words, rel and side', () => {
  const html = '<a href="c">Third</a><a href="//blog.shop.test/" rel="NoFollow Me">Blog</a><a href="https://else.test/">Else</a>';
  assert.deepEqual(read(html), [
    { url: 'https://www.shop.test/a/c', text: 'Third', rel: [], nofollow: false, kind: 'internal' },
    { url: 'https://blog.shop.test/', text: 'Blog', rel: ['nofollow', 'me'], nofollow: true, kind: 'internal' },
    { url: 'https://else.test/', text: 'Else', rel: [], nofollow: false, kind: 'external' },
  ]);
});

const TEXTS: readonly [promise: string, html: string, text: string][] = [
  ['its picture', '<a href="/x"><img src="i.png" alt="A  cup"></a>', 'A cup'],
  ['aria-label', '<a href="/x" aria-label="Close"><i></i></a>', 'Close'],
  ['title', '<a href="/x" title="More"></a>', 'More'],
  ['blocks apart', '<a href="/x"><div>One</div><div>Two</div></a>', 'One Two'],
  ['no script', '<a href="/x">One<script>two</script></a>', 'One'],
  ['the first that has words', '<a href="/x"></a><a href="/x">Shop</a><a href="/x">Again</a>', 'Shop'],
  ['nothing', '<a href="/x"></a>', ''],
];

for (const [promise, html, text] of TEXTS) {
  test(`reads the words of a link from ${promise}`, () => {
    assert.deepEqual(
      read(html).map((link) => link.text),
      [text],
    );
  });
}

const LEFT_OUT = ['javascript:go()', 'mailto:a@b.test', 'tel:1', 'ftp://x.test/', 'https://', 'data:text/html,x', ''];

for (const href of LEFT_OUT) test(`leaves out href="${href}"`, () => assert.deepEqual(read(`<a href="${href}">x</a>`), []));

test('leaves out templates and anchors without an address', () => {
  assert.deepEqual(read('<template><a href="/x">x</a></template><a name="top">y</a>'), []);
});

test('resolves against <base>', () => {
  assert.equal(read('<base href="https://cdn.test/d/"><a href="e">x</a>')[0]?.url, 'https://cdn.test/d/e');
});

test('marks every link of a page that asks not to be followed', () => {
  assert.equal(read('<meta name="robots" content="noindex, nofollow"><a href="/x">x</a>')[0]?.nofollow, true);
});
