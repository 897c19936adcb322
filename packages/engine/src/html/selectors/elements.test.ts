// Which elements a step means in a flattened copy, where boxes stand for shadow roots and frames.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PageError } from '../../errors.ts';
import { parseTree } from '../tree.ts';
import { readNameIndex } from './accessible.ts';
import { findElements, parseElementPath } from './elements.ts';
import { printOf } from './print.ts';

const COPY = `<!doctype html><body><button id=a>Buy</button>
<x-shop><div data-shadow="open"><p id=b>First</p><button id=c>Buy</button><x-deep><div data-shadow="open"><button id=d title="Deep">Buy</button></div></x-deep></div><p id=e>Light</p></x-shop>
<iframe></iframe><div data-frame="/inner"><button id=f>Buy</button><x-in><div data-shadow="open"><button id=g>Buy</button></div></x-in></div>
<iframe id=far></iframe><p id=h><button id=i>Buy</button></p><div data-shadow="open"><b id=j>no root</b></div>
<label for=k>Name</label><input id=k type=EMAIL value=v>`;
const TREE = parseTree(COPY, 'https://shop.test/');

const FOUND: readonly [written: string | readonly string[], ids: string, beyond?: number][] = [
  ['button', 'a c d f g i'],
  ['x-shop button', 'c d'],
  ['pierce/button', 'a c d i'],
  ['pierce/x-shop button', ''],
  ['pierce/x-shop > p:first-child', 'e'],
  ['pierce/p:first-child + button', 'c'],
  ['pierce/b', 'j'],
  [['x-shop', 'button'], 'c d'],
  [['x-shop', 'p'], 'b'],
  [['x-shop', 'x-deep', 'button'], 'd'],
  [['x-shop', 'pierce/button'], 'c d'],
  [['iframe', 'text/buy'], 'f g', 1],
  [['iframe', 'x-in', 'aria/Buy'], 'g', 1],
  [['iframe', 'pierce/button'], 'f g', 1],
  [['#far', 'button'], '', 1],
  [['p', 'button'], 'i'],
  [['.missing', 'button'], ''],
  ['aria/Deep', ''],
  ['xpath///button/@title', 'd'],
  ['//p[@id="b"]/text()', 'b'],
  ['role/button[name="Buy"]', 'a c d f g i'],
];

suite('elements of a step', () => {
  for (const [written, ids, beyond = 0] of FOUND)
    test(`${JSON.stringify(written)} finds ${ids || 'nothing'}`, () => {
      const found = findElements(parseElementPath(written), TREE);
      assert.equal(found.elements.map(({ attribs }) => attribs['id']).join(' '), ids);
      assert.equal(found.beyond.length, beyond);
    });

  for (const written of ['regex/a+/', '$.name', '', 'aria/', 'aria/[level="2"]', 'pierce/###', 'pierce/', []])
    test(`${JSON.stringify(written)} is refused`, () => {
      assert.throws(
        () => parseElementPath(written),
        (error) => error instanceof PageError && error.code === 'selector',
      );
    });

  test('a print says what the element shows of itself', () => {
    const index = readNameIndex(TREE);
    const printed = (id: string) => findElements(parseElementPath(`#${id}`), TREE).elements.map((element) => printOf(element, index));
    assert.deepEqual(printed('k'), [{ tag: 'input', role: 'textbox', name: 'Name', type: 'email' }]);
    assert.deepEqual(printed('far'), [{ tag: 'iframe' }]);
  });
});
