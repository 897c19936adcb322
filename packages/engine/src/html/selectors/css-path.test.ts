import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseTree } from '../tree.ts';
import { cssPathOf, escapeIdentifier, quoteString, readUniqueIds } from './css-path.ts';
import { matchCss } from './css.ts';
import { elementsBelow } from '../walk.ts';

test('writes a path that matches each element of a page alone', () => {
  const html = '<div id="a"><p>1<p id="b b">2</div><p id="a">3<svg><a></a></svg><my-el></my-el><form></form><form></form>';
  const tree = parseTree(html, 'https://shop.test/');
  const isUnique = readUniqueIds(elementsBelow(tree.root));
  for (const element of elementsBelow(tree.root)) {
    const path = cssPathOf(element, isUnique);
    const found = matchCss(path, tree);
    assert.ok(found.length === 1 && found[0] === element, path);
  }
});

test('escapes any id and any attribute value so that CSS reads them back', () => {
  const seed = Date.now();
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), (text) => {
      const tree = parseTree('<p></p>', 'https://shop.test/');
      const [element] = [...elementsBelow(tree.body)];
      assert.ok(element);
      const value = text.replaceAll('\0', '');
      element.attribs = { id: value, title: value };
      if (value === '') return;
      assert.equal(matchCss(`#${escapeIdentifier(value)}`, tree).length, 1);
      assert.equal(matchCss(`[title=${quoteString(value)}]`, tree).length, 1);
    }),
    { numRuns: 300, seed, verbose: false },
  );
});
