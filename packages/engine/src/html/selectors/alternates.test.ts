import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectAll } from 'css-select';
import type { AnyNode, Element } from 'domhandler';
import { parseTree } from '../tree.ts';
import { generateAlternates } from './alternates.ts';
import { resolveSelector } from './resolve.ts';
import { parseSelector } from './selector.ts';
import { isStableName } from './stable.ts';

const ROWS: readonly [promise: string, html: string, css: string, expected: readonly string[]][] = [
  ['a test id', '<div data-testid="price">9</div><div>8</div>', 'div', ['[data-testid="price"]']],
  [
    'an item property under a named parent',
    '<div data-qa="main"><b itemprop="price">9</b></div><div data-qa="other"><b itemprop="price">8</b></div>',
    'b',
    ['[data-qa="main"] [itemprop="price"]'],
  ],
  ['a role and its name', '<button>Buy</button><button>Sell</button>', 'button', ['role/button[name="Buy"]']],
  [
    'the label of a control',
    '<label>City <input></label><label>Street <input></label>',
    'input',
    ['role/textbox[name="City"]', 'label/"City"'],
  ],
  ['the words before a value', '<dl><dt>Price:</dt><dd>9</dd><dt>Stock:</dt><dd>3</dd></dl>', 'dd', ['label/"Price"']],
  ['a class that is a word', '<p><span class="price css-1x2y3z">9</span> <span class="css-9q8w7e">8</span></p>', 'span', ['.price']],
  [
    'a class under a class',
    '<div class="hero"><i class="amount">1</i></div><div class="footer"><i class="amount">2</i></div>',
    'i',
    ['.hero .amount'],
  ],
  ['an id that is a word', '<p id="total">1</p><p id="p9382">2</p>', 'p', ['#total']],
  ['nothing, where nothing stable tells it apart', '<i>1</i><i>2</i>', 'i', []],
  ['names with quotes in them', '<a href="/x">Say "hi"</a><a href="/y">No</a>', 'a', ['role/link[name="Say \\"hi\\""]']],
];

for (const [promise, html, css, expected] of ROWS) {
  test(`writes selectors by ${promise}, each for exactly that node`, () => {
    const tree = parseTree(html, 'https://shop.test/');
    const [node] = selectAll<AnyNode, Element>(css, tree.root);
    assert.ok(node);
    const alternates = generateAlternates(tree, node);
    for (const alternate of alternates) {
      const { matches, count } = resolveSelector(parseSelector(alternate), tree);
      assert.ok(count === 1 && matches[0]?.node === node, alternate);
    }
    const others = alternates.filter((alternate) => !expected.includes(alternate));
    assert.deepEqual(
      alternates.filter((alternate) => expected.includes(alternate)),
      expected,
      `also written: ${others.join(', ')}`,
    );
    if (expected.length === 0) assert.deepEqual(alternates, []);
  });
}

test('writes at most four, and none for text', () => {
  const tree = parseTree(
    '<label for="c">City</label><input id="city" data-testid="city" class="field-city" name="c">',
    'https://shop.test/',
  );
  const [input] = selectAll<AnyNode, Element>('input', tree.root);
  assert.ok(input);
  assert.ok(generateAlternates(tree, input).length <= 4);
  assert.deepEqual(generateAlternates(tree, tree.root), []);
});

const NAMES: readonly [name: string, stable: boolean][] = [
  ['price', true],
  ['product-title', true],
  ['productPrice', true],
  ['h1', false],
  ['active', false],
  ['css-1q2w3e', false],
  ['sc-bdVaJa', false],
  ['jss142', false],
  ['ember1234', false],
  ['x9f2k', false],
  ['col2', true],
  ['is-open', false],
];

for (const [name, stable] of NAMES) {
  test(`takes ${name} for a name that ${stable ? 'lasts' : 'changes'}`, () => assert.equal(isStableName(name), stable));
}
