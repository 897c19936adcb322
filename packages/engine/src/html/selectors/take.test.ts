import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseTree } from '../tree.ts';
import { resolveValues } from './resolve.ts';
import { parseSelector } from './selector.ts';
import { splitTake } from './take.ts';

const TREE = parseTree(
  '<base href="https://x.test/shop/"><p class="a">one<b>two</b> three </p><a href="b?c" title="../t">B</a><a>none</a><a href="mailto:m@x.test">M</a><img src=" i.png" data-id="7"><a href="javascript:x()">J</a>',
  'https://x.test/',
);

function values(text: string): readonly string[] {
  const { selector, take } = splitTake(text);
  return resolveValues(parseSelector(selector), take, TREE).matches.map(({ value }) => value);
}

suite('what is read of elements', () => {
  const cases: readonly (readonly [selector: string, values: readonly string[]])[] = [
    ['css/a@href', ['https://x.test/shop/b?c', 'mailto:m@x.test', 'javascript:x()']],
    ['css/a::attr(href)', ['https://x.test/shop/b?c', 'mailto:m@x.test', 'javascript:x()']],
    ['css/a[title]::attr( title )', ['../t']],
    ['css/img@src', ['https://x.test/shop/i.png']],
    ['css/img@DATA-ID', ['7']],
    ['css/p::text', ['one', 'three']],
    ['css/p, b::text', ['one', 'three', 'two']],
    ['css/a[href="mailto:m@x.test"]', ['M']],
    ['css/a[href$="@x.test"]@href', ['mailto:m@x.test']],
    ['//a/@href', ['https://x.test/shop/b?c', 'mailto:m@x.test', 'javascript:x()']],
    ['//a/@title', ['../t']],
    ['css/p@href', []],
  ];
  for (const [selector, found] of cases) test(`${selector} is ${JSON.stringify(found)}`, () => assert.deepEqual(values(selector), found));

  for (const selector of ['css/@href', 'css/::text', 'css/ ::attr(href)'])
    test(`${selector} names no element`, () => assert.throws(() => splitTake(selector), /names no element/));
});
